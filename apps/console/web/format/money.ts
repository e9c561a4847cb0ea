import { nanos, type Nanos } from '@svc/kernel';

/** Nano-dollars in a dollar. */
const DOLLAR = 1_000_000_000n;
const DECIMALS = 9;
const MINUS = '\u2212';
/** Amounts below this are shown with four decimals, others with two. */
const FOUR_DECIMALS_BELOW = DOLLAR;
/** The least amount that four decimals can show. */
const LEAST_SHOWN = 100_000n;

/**
 * An amount as a list shows it: from $1 two decimals, below four, rounded half up (away from zero); below $0.0001
 * `< $0.0001`. A negative amount has U+2212 before the dollar.
 */
export function formatMoney(amount: bigint): string {
  const size = magnitude(amount);
  if (size === 0n) return '$0.00';
  if (size < LEAST_SHOWN) return amount < 0n ? `> ${MINUS}$0.0001` : '< $0.0001';
  const decimals = size >= FOUR_DECIMALS_BELOW ? 2 : 4;
  const rounded = roundHalfUp(size, 10n ** BigInt(DECIMALS - decimals));
  // Rounding may reach the next dollar, which is shown like every dollar.
  const text = decimals === 4 && rounded === DOLLAR ? '1.00' : decimalText(rounded, decimals);
  return sign(amount) + '$' + text;
}

/** An amount with all its nine decimals: `$0.000123456`. */
export const formatExactMoney = (amount: bigint): string =>
  `${sign(amount)}$${decimalText(magnitude(amount), DECIMALS)}`;

/** An amount as a detail shows it: `$0.000123456 · 123,456 nanos`. */
export const formatMoneyInFull = (amount: bigint): string =>
  `${formatExactMoney(amount)} · ${sign(amount)}${grouped(magnitude(amount))} nanos`;

/** An amount as the plain decimal dollars that {@link parseMoney} reads: no grouping, no trailing zeros. */
export function plainDollars(amount: bigint): string {
  const size = magnitude(amount);
  const fraction = (size % DOLLAR).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  const whole = (size / DOLLAR).toString();
  return (amount < 0n ? '-' : '') + (fraction === '' ? whole : `${whole}.${fraction}`);
}

type ParsedMoney =
  { readonly amount: Nanos } | { readonly problem: 'empty' | 'notAnAmount' | 'tooManyDecimals' };

/** Decimal dollars, as typed: `$1,250.5`, `0.000000001`. Up to nine decimals; never by way of a float. */
export function parseMoney(typed: string): ParsedMoney {
  const text = typed.trim().replace(/^\$\s*/, '');
  if (text === '') return { problem: 'empty' };
  const parts = /^(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?$/.exec(text);
  const [, whole = '', fraction = ''] = parts ?? [];
  if (parts === null || whole + fraction === '') return { problem: 'notAnAmount' };
  if (fraction.replace(/0+$/, '').length > DECIMALS) return { problem: 'tooManyDecimals' };
  const digits = whole.replaceAll(',', '') + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0');
  return { amount: nanos(BigInt(digits)) };
}

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
const sign = (amount: bigint): string => (amount < 0n ? MINUS : '');
const roundHalfUp = (size: bigint, step: bigint): bigint => ((size + step / 2n) / step) * step;

/** Of digits, in groups of three. */
export const grouped = (whole: bigint): string => whole.toString().replace(/\B(?=(?:\d{3})+$)/g, ',');

function decimalText(size: bigint, decimals: number): string {
  const fraction = (size % DOLLAR).toString().padStart(DECIMALS, '0').slice(0, decimals);
  return `${grouped(size / DOLLAR)}.${fraction}`;
}

const PARTS = 10_000n;

/** How much of an amount is spent, at a hundredth of a percent: 1 is all of it. An amount of nothing is spent at once. */
export const spentShare = (spent: bigint, amount: bigint): number =>
  amount === 0n ? 1 : Number((spent * PARTS) / amount) / Number(PARTS);
