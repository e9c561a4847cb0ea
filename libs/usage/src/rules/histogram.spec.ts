import fc from 'fast-check';
import { percentileOf, TIME_BOUNDS, timeBound, timeBoundsMs } from './histogram';

const countsOf = (times: readonly number[]): readonly number[] => {
  const counts = new Array<number>(TIME_BOUNDS).fill(0);
  for (const ms of times) counts[timeBound(ms)]!++;
  return counts;
};
const nearestRank = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * times.length)) - 1]!;

const ERROR_MAX = 0.12;

describe('a percentile of counted times', () => {
  it('is at most 12 % off the percentile of the times themselves', () => {
    const anyMs = fc.oneof(
      fc.integer({ min: 1, max: 600_000 }),
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 1, max: 600_000, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(anyMs, { minLength: 1, maxLength: 300 }),
        fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1),
        (times, share) => {
          const exact = nearestRank(times, share);
          const shown = percentileOf(countsOf(times), share)!;
          expect(Math.abs(shown - exact) / exact).toBeLessThanOrEqual(ERROR_MAX);
        },
      ),
    );
  });

  it('is at most 12 % off for each whole millisecond up to a second', () => {
    for (let ms = 1; ms <= 1_000; ms++) {
      expect(Math.abs(percentileOf(countsOf([ms]), 0.5)! - ms) / ms).toBeLessThanOrEqual(ERROR_MAX);
    }
  });

  it('is at most 12 % off just above each bound', () => {
    for (const bound of timeBoundsMs.slice(1)) {
      const ms = bound + 0.001;
      expect(Math.abs(percentileOf(countsOf([ms]), 0.5)! - ms) / ms).toBeLessThanOrEqual(ERROR_MAX);
    }
  });

  it('is null without times', () => {
    expect(percentileOf(countsOf([]), 0.95)).toBeNull();
  });
});

describe('the bound of a time', () => {
  it('rises with the time, from the first to the last', () => {
    expect([-5, 0, 0.4, 1].map(timeBound)).toEqual([0, 0, 0, 0]);
    expect([1.01, 1.3, 599_999, 600_000, 86_400_000].map(timeBound)).toEqual([1, 2, 63, 63, 63]);
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (a, b) => {
        expect(Math.sign(timeBound(a) - timeBound(b)) * Math.sign(a - b)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
