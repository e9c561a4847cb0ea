import { addNanos, type Nanos, ZERO_NANOS } from '@svc/kernel';

/** Basis points of a price that is charged as the catalog has it. */
export const WHOLE_BPS = 10_000;

/** The two parts of a cost: the wallet, and the organization's own account at the provider (docs/reference/money.md#prices). */
interface PaidParts {
  readonly charge: Nanos;
  /** Zero on the platform's credential. */
  readonly providerCost: Nanos;
  /** The amount that budgets count. */
  readonly both: Nanos;
}

/**
 * @param credentialId of the organization; null for the platform's
 * @param priceAt so many basis points of the catalog's price
 */
export function paidParts(
  { credentialId, priceBps }: { readonly credentialId: string | null; readonly priceBps: number },
  priceAt: (bps: number) => Nanos,
): PaidParts {
  const charge = priceAt(priceBps);
  const providerCost = credentialId === null ? ZERO_NANOS : priceAt(WHOLE_BPS);
  return { charge, providerCost, both: addNanos(charge, providerCost) };
}
