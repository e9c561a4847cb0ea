import fc from 'fast-check';
import { addNanos, maxNanos, minNanos, nanos, nanosToJson, subtractNanos } from './money';

const amount = fc.bigInt().map(nanos);

describe('money', () => {
  it('adds and subtracts exactly at any size', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(subtractNanos(addNanos(a, b), b)).toBe(a);
        expect(addNanos(a, b) - a).toBe(b);
      }),
    );
  });

  it('has a minimum and a maximum of two amounts', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(minNanos(a, b) <= maxNanos(a, b)).toBe(true);
        expect(addNanos(minNanos(a, b), maxNanos(a, b))).toBe(addNanos(a, b));
      }),
    );
  });

  it('becomes a JSON integer while that is exact', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(nanosToJson(nanos(value))).toBe(value);
      }),
    );
    expect(() => nanosToJson(nanos(2n ** 53n))).toThrow(RangeError);
    expect(() => nanosToJson(nanos(-(2n ** 53n)))).toThrow(RangeError);
  });

  it('is never a fraction', () => {
    expect(() => nanos(0.5)).toThrow(RangeError);
  });
});
