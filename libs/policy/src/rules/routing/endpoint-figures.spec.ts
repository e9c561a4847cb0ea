import fc from 'fast-check';

import { foldFigures, UNMEASURED } from './endpoint-figures';

const latencyAfter = (...latenciesMs: readonly number[]): number | null =>
  latenciesMs.reduce(
    (figures, latencyMs) => foldFigures(figures, { latencyMs, tokensPerSecond: null }),
    UNMEASURED,
  ).latencyMs;

describe('the figures of an endpoint', () => {
  it('start with the first call, and keep values that a later one did not measure', () => {
    const first = foldFigures(UNMEASURED, { latencyMs: 40, tokensPerSecond: null });
    expect(first).toEqual({ latencyMs: 40, tokensPerSecond: null });
    expect(foldFigures(first, { latencyMs: null, tokensPerSecond: 90 })).toEqual({
      latencyMs: 40,
      tokensPerSecond: 90,
    });
  });

  it('stay within the measured values', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1 }), (seen) => {
        const latencyMs = latencyAfter(...seen)!;
        expect(latencyMs).toBeGreaterThanOrEqual(Math.min(...seen));
        expect(latencyMs).toBeLessThanOrEqual(Math.max(...seen) + 1e-6);
      }),
    );
  });

  it('follow a lasting change within a dozen calls, but not a single outlier', () => {
    expect(latencyAfter(100, 1000)).toBeLessThan(300);
    expect(latencyAfter(100, ...Array.from({ length: 12 }, () => 1000))).toBeGreaterThan(900);
  });
});
