import { previewOf, type Previewed } from './preview';

type Row = Parameters<typeof previewOf>[0][number];
const row = (hour: string, requests: number, failed: number, nanos: bigint): Row =>
  ({
    hour,
    requests,
    failed,
    customer_nanos: nanos,
    provider_nanos: 0n,
    duration_ms: { p50: 1, p95: requests, p99: 9 },
  }) as Row;
const rows = [row('2026-11-20T09:00:00Z', 100, 10, 5n), row('2026-11-20T10:00:00Z', 4, 4, 9n)];
const rule = (change: Partial<Previewed>): Previewed => ({
  metric: 'error_rate_bps',
  threshold: 1_000,
  isByDay: false,
  windowMinutes: 60,
  minRequests: 20,
  ...change,
});

describe('the preview of a rule', () => {
  it('counts the hours that reached the threshold, without those with too few calls', () => {
    expect(previewOf(rows, rule({}))).toEqual({
      unit: 'hour',
      reached: 1,
      bound: 'about',
      highest: { value: 1_000, at: '2026-11-20T09:00:00Z' },
    });
    expect(previewOf(rows, rule({ minRequests: 1 })).reached).toBe(2);
    expect(previewOf(rows, rule({ metric: 'latency_p95_ms', threshold: 101 })).reached).toBe(0);
    expect(previewOf([], rule({})).highest).toBeNull();
  });

  it.each([
    [5, 'at most'],
    [60, 'about'],
    [120, 'at least'],
  ])('says what sums of an hour tell of a window of %d minutes: %s', (windowMinutes, bound) => {
    const spend = rule({ metric: 'spend_nanos', threshold: 9, windowMinutes });
    expect(previewOf(rows, spend)).toMatchObject({ reached: 1, bound });
  });

  it('is exact for spend of a day', () => {
    const days = [{ ...rows[0], day: '2026-11-20' } as Row];
    const spend = rule({ metric: 'spend_nanos', threshold: 5, isByDay: true });
    expect(previewOf(days, spend)).toMatchObject({ unit: 'day', reached: 1, bound: 'exactly' });
  });
});
