import { exportOutcome, retryAfterMs } from './export-outcome';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const answer = (statusCode: number | null, retryAfter: string | null = null) => ({
  statusCode,
  retryAfter,
  isForbidden: false,
});
const outcomeOf = (statusCode: number | null, failures = 1, random = 1) =>
  exportOutcome(answer(statusCode), failures, random, NOW);

describe('the answer of a collector', () => {
  it.each([200, 202, 204])('%s means that the telemetry was taken', (status) => {
    expect(outcomeOf(status)).toEqual({ kind: 'taken' });
  });

  it.each([429, 502, 503, 504, null])('%s means that it is sent again', (status) => {
    expect(outcomeOf(status).kind).toBe('later');
  });

  it.each([301, 400, 401, 403, 404, 413, 500, 501])('%s means that it is dropped', (status) => {
    expect(outcomeOf(status)).toEqual({ kind: 'refused' });
  });

  it('that cannot come, because its address is forbidden, means that it is dropped', () => {
    expect(exportOutcome({ ...answer(null), isForbidden: true }, 1, 1, NOW)).toEqual({ kind: 'refused' });
  });

  it('has a wait that doubles from 1 s to 2 min, with jitter', () => {
    expect([1, 2, 3, 7, 8, 9, 1_000].map((failures) => outcomeOf(503, failures))).toEqual(
      [1, 2, 4, 64, 120, 120, 120].map((seconds) => ({ kind: 'later', waitMs: seconds * 1_000 })),
    );
    expect(outcomeOf(503, 3, 0)).toEqual({ kind: 'later', waitMs: 2_000 });
  });

  it('has the wait that Retry-After asks for', () => {
    expect(exportOutcome(answer(429, '17'), 5, 1, NOW)).toEqual({ kind: 'later', waitMs: 17_000 });
  });
});

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['30', 30_000],
    [' 30 ', 30_000],
    ['7200', 3_600_000],
    ['99999999999999999999', 3_600_000],
    ['Mon, 23 Nov 2026 12:00:05 GMT', 5_000],
    ['Mon, 23 Nov 2026 11:00:00 GMT', 0],
    ['Tue, 24 Nov 2026 12:00:00 GMT', 3_600_000],
    ['soon', null],
    ['', null],
  ])('%p is %p ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});
