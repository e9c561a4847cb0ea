import { nanos, type Nanos } from '@svc/kernel';

/** Payment providers count in cents. */
export const CENT = nanos(10_000_000);
/** 5 dollars. */
export const TOP_UP_MIN = nanos(5_000_000_000);
/** 25,000 dollars. */
export const TOP_UP_MAX = nanos(25_000_000_000_000);
/** ISO 4217, as Stripe writes it. */
export const CURRENCY = 'usd';

export const nanosOfCents = (cents: bigint): Nanos => nanos(cents * CENT);

/** @param amount whole cents. */
export const centsOf = (amount: Nanos): bigint => amount / CENT;
