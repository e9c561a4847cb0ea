import { grouped } from './money';

/** Moving the point by three turns nanos a unit into dollars a million units: 10⁶ units ÷ 10⁹ nanos a dollar. */
const PLACES = 3;

/**
 * A price in nanos a token, as the API's decimal text (`37.5`), in dollars a million tokens: `$0.0375`. At least two
 * decimals, and every further one: the text is exact.
 * @returns null for a text that is no decimal number.
 */
export function pricePerMillion(nanosPerUnit: string): string | null {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(nanosPerUnit);
  if (parts === null) return null;
  const [, whole = '', fraction = ''] = parts;
  const digits = whole.padStart(PLACES + 1, '0') + fraction;
  const point = Math.max(whole.length, PLACES + 1) - PLACES;
  const decimals = digits.slice(point).replace(/0+$/, '').padEnd(2, '0');
  return `$${grouped(BigInt(digits.slice(0, point)))}.${decimals}`;
}
