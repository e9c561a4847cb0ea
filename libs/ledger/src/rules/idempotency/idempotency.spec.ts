import { idempotencyKeyIn } from './idempotency-key';
import { refusalByClaim } from './judge-claim';

const fingerprint = Buffer.alloc(32, 1);
const other = Buffer.alloc(32, 2);

describe('an Idempotency-Key', () => {
  it.each(['k', 'x'.repeat(255), 'any string: é "{}"'])('may be any string of 1 to 255 characters', (key) => {
    expect(idempotencyKeyIn(key)).toBe(key);
  });

  it.each([[''], ['x'.repeat(256)], [['x'.repeat(200), 'y'.repeat(200)]]])(
    'is refused when it is another string',
    (key) => {
      expect(() => idempotencyKeyIn(key)).toThrow(
        expect.objectContaining({ reason: 'invalidRequest', param: 'Idempotency-Key' }) as Error,
      );
    },
  );

  it('may be left out', () => {
    expect(idempotencyKeyIn(undefined)).toBeNull();
  });
});

describe('a key that is claimed', () => {
  it('replays the answer to the same body once there is one', () => {
    expect(refusalByClaim({ fingerprint, isAnswered: true }, Buffer.from(fingerprint))).toBeNull();
  });

  it('refuses the same body while the original runs, with a retry delay', () => {
    expect(refusalByClaim({ fingerprint, isAnswered: false }, fingerprint)).toMatchObject({
      reason: 'idempotencyInProgress',
      retryAfterMs: 1_000,
      definition: { retriable: true },
    });
  });

  it.each([true, false])('refuses another body (original answered: %s) permanently', (isAnswered) => {
    expect(refusalByClaim({ fingerprint, isAnswered }, other)).toMatchObject({
      reason: 'idempotencyKeyReused',
      param: 'Idempotency-Key',
      definition: { retriable: false },
    });
  });
});
