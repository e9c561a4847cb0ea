import { nanos } from '@svc/kernel';
import fc from 'fast-check';
import {
  endOf,
  firstSlice,
  holdSecondAfter,
  nextSlice,
  priceOfSeconds,
  runSecondsMax,
  secondsBetween,
  type Slice,
  unmeteredSeconds,
  usedSeconds,
} from './metering';

const price = fc.bigInt({ min: 0n, max: 1_000_000_000_000n }).map(nanos);
const seconds = fc.integer({ min: 0, max: 2_592_000 });
const schedule = fc.record({
  sliceSeconds: fc.integer({ min: 1, max: 3_600 }),
  maxSeconds: fc.integer({ min: 36, max: 20_000 }),
});

describe('priceOfSeconds', () => {
  it('is seconds × price of an hour ÷ 3600, rounded up, and never more than a nano above', () => {
    fc.assert(
      fc.property(seconds, price, (time, perHour) => {
        const exact3600 = BigInt(time) * perHour;
        const charged = priceOfSeconds(time, perHour) * 3_600n;
        expect(charged).toBeGreaterThanOrEqual(exact3600);
        expect(charged - exact3600).toBeLessThan(3_600n);
      }),
    );
  });

  it('of an hour is the price of an hour, and of a part never more than of the whole', () => {
    fc.assert(
      fc.property(seconds, seconds, price, (one, other, perHour) => {
        expect(priceOfSeconds(3_600, perHour)).toBe(perHour);
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(priceOfSeconds(less, perHour)).toBeLessThanOrEqual(priceOfSeconds(more, perHour));
      }),
    );
  });
});

describe('runSecondsMax', () => {
  it.each([
    [0.01, 36],
    [0.29, 1_044],
    [1.1, 3_960],
    [24, 86_400],
    [720, 2_592_000],
  ])('of %p hours is %i seconds', (hours, expected) => {
    expect(runSecondsMax(hours)).toBe(expected);
  });
});

it('counts whole seconds, and none backwards', () => {
  const at = (ms: number) => new Date(ms);
  expect([secondsBetween(at(0), at(1_999)), secondsBetween(at(5_000), at(0))]).toEqual([1, 0]);
});

describe('slices', () => {
  /** A run that is looked at at these seconds. */
  function slicesOf(looks: readonly number[], plan: Parameters<typeof firstSlice>[0]): readonly Slice[] {
    const slices = [firstSlice(plan)];
    for (const look of looks) {
      const next = nextSlice(slices.at(-1)!, look, plan);
      if (next !== null) slices.push(next);
    }
    return slices;
  }
  const looks = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 60 }).map((steps) =>
    steps.map(
      (
        (total) => (step: number) =>
          (total += step)
      )(0),
    ),
  );

  it('never overlap, are numbered in a row, end with the run, and are no longer than set', () => {
    fc.assert(
      fc.property(looks, schedule, (times, plan) => {
        const slices = slicesOf(times, plan);
        slices.forEach((slice, at) => {
          expect(slice.number).toBe(at + 1);
          expect(slice.seconds).toBeGreaterThan(0);
          expect(slice.seconds).toBeLessThanOrEqual(plan.sliceSeconds);
          expect(endOf(slice)).toBeLessThanOrEqual(plan.maxSeconds);
          if (at > 0) expect(slice.fromSecond).toBeGreaterThanOrEqual(endOf(slices[at - 1]!));
        });
      }),
    );
  });

  it('have each second of the run at most once; the others are unmetered', () => {
    fc.assert(
      fc.property(looks, schedule, seconds, (times, plan, length) => {
        const slices = slicesOf(times, plan);
        const used = slices.reduce((sum, slice) => sum + usedSeconds(slice, length), 0);
        expect(used).toBeLessThanOrEqual(length);
        expect(used + unmeteredSeconds(slices, length)).toBe(length);
      }),
    );
  });

  it('leave no second of a run out that is looked at in time', () => {
    fc.assert(
      fc.property(schedule, (plan) => {
        const slices = [firstSlice(plan)];
        for (let looks = 0; looks < 200; looks++) {
          const next = nextSlice(slices.at(-1)!, holdSecondAfter(slices.at(-1)!), plan);
          if (next === null) break;
          slices.push(next);
        }
        expect(unmeteredSeconds(slices, endOf(slices.at(-1)!))).toBe(0);
      }),
    );
  });

  it('cost no more than was held for them', () => {
    fc.assert(
      fc.property(schedule, price, seconds, (plan, perHour, length) => {
        const slice = firstSlice(plan);
        const cost = priceOfSeconds(usedSeconds(slice, length), perHour);
        expect(cost).toBeLessThanOrEqual(priceOfSeconds(slice.seconds, perHour));
      }),
    );
  });

  it('are held a tenth of a slice before the end of the last', () => {
    const plan = { sliceSeconds: 600, maxSeconds: 86_400 };
    const first = firstSlice(plan);
    expect(nextSlice(first, 539, plan)).toBeNull();
    expect(nextSlice(first, 540, plan)).toEqual({ number: 2, fromSecond: 600, seconds: 600 });
  });

  it('begin now after a gap: what nobody held is not paid for', () => {
    const plan = { sliceSeconds: 600, maxSeconds: 86_400 };
    const late = nextSlice(firstSlice(plan), 1_000, plan)!;
    expect(late).toEqual({ number: 2, fromSecond: 1_000, seconds: 600 });
    expect(unmeteredSeconds([firstSlice(plan), late], 1_100)).toBe(400);
  });

  it('do not go beyond the longest run', () => {
    const plan = { sliceSeconds: 600, maxSeconds: 1_000 };
    const second = nextSlice(firstSlice(plan), 590, plan)!;
    expect(second).toEqual({ number: 2, fromSecond: 600, seconds: 400 });
    expect(nextSlice(second, 999, plan)).toBeNull();
  });
});
