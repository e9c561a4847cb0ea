import { periodStart, periodStartOf } from './budget-period';

describe('when a period began', () => {
  it.each([
    ['week', '2026-11-28', 0, '2026-11-23'],
    ['week', '2026-11-23', 0, '2026-11-23'],
    ['week', '2027-01-03', 0, '2026-12-28'],
    ['week', '2027-01-04', 1, '2026-12-28'],
    ['month', '2026-01-31', 1, '2025-12-01'],
    ['quarter', '2026-11-28', 0, '2026-10-01'],
    ['quarter', '2026-02-28', 1, '2025-10-01'],
    ['quarter', '2026-02-28', 4, '2025-01-01'],
  ] as const)('of the %s of %s, %d before, it is %s', (length, today, ago, start) =>
    expect(periodStart(length, Date.parse(today), ago)).toBe(Date.parse(start)),
  );
});

describe('the period of a budget', () => {
  it.each([
    ['day', '2026-11-22T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
    ['week', '2027-01-04T00:00:00.000Z', '2026-12-28T00:00:00.000Z'],
    ['month', '2026-03-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['quarter', '2027-01-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z'],
  ] as const)('knows when the %s that ends at %s began', (period, resets_at, start) => {
    expect(periodStartOf({ period, resets_at })).toEqual(new Date(start));
  });

  it('began at no time where it is a session', () =>
    expect(periodStartOf({ period: 'session', resets_at: null })).toBeNull());
});
