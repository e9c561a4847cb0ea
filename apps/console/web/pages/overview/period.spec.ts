import { isOnlyToday, periods, rangeOf, todayByHour } from './period';

describe('the range of a period', () => {
  it.each([
    ['2026-11-22T23:59:00.000Z', '2026-11-22'],
    ['2026-11-23T00:01:00.000Z', '2026-11-23'],
    // 00:01 of the 24th at UTC+14, and 23:59 of the 22nd at UTC−11.
    ['2026-11-24T00:01:00.000+14:00', '2026-11-23'],
    ['2026-11-22T23:59:00.000-11:00', '2026-11-23'],
  ])('of today at %s is the UTC day %s', (now, day) => {
    const { current, previous } = rangeOf('today', Date.parse(now));
    expect(current.start).toBe(`${day}T00:00:00.000Z`);
    expect(Date.parse(current.end) - Date.parse(current.start)).toBe(86_400_000);
    expect(previous.end).toBe(current.start);
  });

  it.each(periods)('of %s has a place for each of its days, today’s the last', (period) => {
    const { places, unit, current, previous } = rangeOf(period, Date.parse('2026-11-22T05:30:00Z'));
    const days = { today: 1, '7d': 7, '30d': 30, '90d': 90 }[period];
    expect(places).toHaveLength(unit === 'hour' ? 6 : days);
    expect(places.at(-1)).toBe(unit === 'hour' ? '2026-11-22T05:00:00.000Z' : '2026-11-22');
    expect(places[0]?.slice(0, 10)).toBe(current.start.slice(0, 10));
    expect(Date.parse(current.start) - Date.parse(previous.start)).toBe(days * 86_400_000);
  });

  it.each([
    ['today', true, true],
    ['7d', true, true],
    ['30d', true, false],
    ['90d', false, false],
  ] as const)('of %s says whether latencies are answered, now %s and before %s', (period, now, before) => {
    const { isShort, hasPreviousLatency } = rangeOf(period, Date.parse('2026-11-22T23:59:59Z'));
    expect([isShort, hasPreviousLatency]).toEqual([now, before]);
  });
});

describe('a period in which today alone has calls', () => {
  const range = rangeOf('30d', Date.parse('2026-11-22T05:30:00Z'));
  const calls = (day: string, requests = 1) => ({ day, requests });

  it('is told by the sums of its days', () => {
    expect(isOnlyToday(range, [calls('2026-11-22')])).toBe(true);
    expect(isOnlyToday(range, [calls('2026-11-21', 0), calls('2026-11-22')])).toBe(true);
    expect(isOnlyToday(range, [calls('2026-11-21'), calls('2026-11-22')])).toBe(false);
    expect(isOnlyToday(range, [calls('2026-11-22', 0)])).toBe(false);
    expect(isOnlyToday(range, [])).toBe(false);
  });

  it('is no period of one day, which is by hour anyhow', () => {
    const today = rangeOf('today', Date.parse('2026-11-22T05:30:00Z'));
    expect(isOnlyToday(today, [calls('2026-11-22')])).toBe(false);
  });

  it('has the hours of today that have begun', () => {
    const { unit, places, current } = todayByHour(range);
    expect(unit).toBe('hour');
    expect(places).toEqual(rangeOf('today', Date.parse('2026-11-22T05:30:00Z')).places);
    expect(current).toEqual({ start: '2026-11-22T00:00:00.000Z', end: '2026-11-23T00:00:00.000Z' });
  });
});
