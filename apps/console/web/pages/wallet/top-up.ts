import { parseMoney } from '../../format/money';

const CENT = 10_000_000n;
const LEAST = 500n * CENT;
const MOST = 2_500_000n * CENT;

/** The amount that was typed, if a top-up takes it (docs/reference/payments.md#top-ups); else null. */
export function topUpAmount(typed: string): bigint | null {
  const amount = wholeCents(typed);
  return amount !== null && amount >= LEAST && amount <= MOST ? amount : null;
}

/** The amount that was typed, if it is one of whole cents above nothing; else null. */
export function wholeCents(typed: string): bigint | null {
  const parsed = parseMoney(typed);
  if (!('amount' in parsed)) return null;
  const { amount } = parsed;
  return amount > 0n && amount % CENT === 0n ? amount : null;
}
