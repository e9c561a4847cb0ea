import { askedSpan } from './asked-span';

const NOW = Date.parse('2026-11-20T09:31:07.123Z');

describe('the span whose refused calls are shown', () => {
  it('is the last 30 days without an address, from a full hour on', () => {
    expect(askedSpan({}, NOW)).toEqual({ start: '2026-10-21T09:00:00.000Z' });
  });

  it('is the 30 days before its end', () => {
    const before = '2026-11-10T12:30:00Z';
    expect(askedSpan({ before }, NOW)).toEqual({ start: '2026-10-11T12:00:00.000Z', end: before });
  });

  it('is what the address says', () => {
    const [after, before] = ['2026-11-01T00:00:00Z', '2026-11-10T00:00:00Z'];
    expect(askedSpan({ after }, NOW)).toEqual({ start: after });
    expect(askedSpan({ after, before }, NOW)).toEqual({ start: after, end: before });
  });
});
