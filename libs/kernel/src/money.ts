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
 * One amount as a JSON integer. A sum of amounts is a `jsonInteger`.
 * @throws RangeError above 2⁵³ − 1 nano-dollars (about 9 million USD), the most that a wallet holds.
 */
export function nanosToJson(amount: Nanos): number {
  const value = Number(amount);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${String(amount)} nanos cannot be a JSON integer`);
  return value;
}
