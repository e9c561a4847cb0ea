import { metrics } from './metrics';
import { formatObserved, parseThreshold, typedThreshold } from './threshold';

describe('a threshold', () => {
  it('goes to text and back without loss, whatever its metric', () => {
    for (const metric of metrics)
      for (const value of [0, 1, 99, 100, 12_345, 10_000_000_001, Number.MAX_SAFE_INTEGER])
        expect([metric, value, parseThreshold(metric, typedThreshold(metric, value))]).toEqual([
          metric,
          value,
          value,
        ]);
  });

  it('is read by its digits, in the unit that people type', () => {
    expect(parseThreshold('spend_nanos', '10.000000001')).toBe(10_000_000_001);
    expect(parseThreshold('error_rate_bps', '5')).toBe(500);
    expect(parseThreshold('error_rate_bps', '0.29')).toBe(29);
    expect(parseThreshold('latency_p95_ms', '1500')).toBe(1500);
  });

  it.each(['', '-1', '1e3', 'five', '1.234', '99999999999999999999'])('is nothing for %p', (typed) => {
    expect(parseThreshold('error_rate_bps', typed)).toBeNull();
  });

  it('is shown with its unit', () => {
    expect(formatObserved('spend_nanos', 12_500_000_000)).toBe('$12.50');
    expect(formatObserved('error_rate_bps', 730)).toBe('7.3 %');
    expect(formatObserved('wallet_runway_hours', 12)).toBe('12 h');
  });
});
