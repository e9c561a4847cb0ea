declare const unit: unique symbol;

/** An amount of money in whole nano-dollars (10⁻⁹ USD). Exact: never a float (docs/reference/money.md#units). */
export type Nanos = bigint & { readonly [unit]: 'nanos' };

export const nanos = (amount: bigint | number): Nanos => BigInt(amount) as Nanos;
export const ZERO_NANOS: Nanos = nanos(0);

export const addNanos = (a: Nanos, b: Nanos): Nanos => (a + b) as Nanos;
export const subtractNanos = (a: Nanos, b: Nanos): Nanos => (a - b) as Nanos;
export const minNanos = (a: Nanos, b: Nanos): Nanos => (a < b ? a : b);
export const maxNanos = (a: Nanos, b: Nanos): Nanos => (a > b ? a : b);

/**
 * The amount as a JSON integer.
 * @throws RangeError above 2⁵³ − 1 nano-dollars (about 9 million USD), where JSON readers lose exactness.
 */
export function nanosToJson(amount: Nanos): number {
  const value = Number(amount);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${String(amount)} nanos cannot be a JSON integer`);
  return value;
}
