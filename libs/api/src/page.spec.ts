import fc from 'fast-check';
import { formatId, ID_ENTROPY_BYTES } from '@svc/kernel';
import { cursorAfter, listEnvelope, readCursor } from './page';

const aTime = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const entropy = fc.uint8Array({ minLength: ID_ENTROPY_BYTES, maxLength: ID_ENTROPY_BYTES });

describe('a page of a list', () => {
  it('is continued by its cursor exactly where it ended', () => {
    fc.assert(
      fc.property(aTime, entropy, (timeMs, bytes) => {
        const id = formatId('budget', timeMs, bytes);
        expect(readCursor(cursorAfter(id), 'budget')).toBe(id);
      }),
    );
  });

  it('begins with the newest where no cursor is given', () => {
    expect(readCursor(undefined, 'budget')).toBeNull();
  });

  it('refuses every text that is no cursor of this list', () => {
    const foreign = cursorAfter(formatId('project', 1, new Uint8Array(ID_ENTROPY_BYTES)));
    const padded = `${cursorAfter(formatId('budget', 1, new Uint8Array(ID_ENTROPY_BYTES)))}=`;
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('', foreign, padded)), (text) => {
        expect(() => readCursor(text, 'budget')).toThrow(
          expect.objectContaining({ reason: 'invalidRequest', param: 'cursor' }),
        );
      }),
    );
  });

  it('is continued where its search ended, be it empty or not', () => {
    const end = formatId('request', 1, new Uint8Array(ID_ENTROPY_BYTES));
    for (const items of [[], [{ id: 'a' }]]) {
      const { data, next_cursor: cursor } = listEnvelope({ items, hasMore: true, nextBefore: end });
      expect(data).toEqual(items);
      expect(readCursor(cursor ?? '', 'request')).toBe(end);
    }
  });

  it('has no next page after the last, nor when it is empty', () => {
    expect(listEnvelope({ items: [{ id: 'a' }], hasMore: false })).toEqual({
      data: [{ id: 'a' }],
      has_more: false,
      next_cursor: null,
    });
    expect(listEnvelope({ items: [], hasMore: false }).next_cursor).toBeNull();
  });
});
