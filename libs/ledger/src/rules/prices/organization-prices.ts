/** The prices of an organization, in basis points of the catalog's prices (docs/reference/money.md#prices). */
export interface OrganizationPrices {
  /** On the platform's credentials, and where an endpoint needs none. 0 to {@link PRICE_BPS_MAX}. */
  readonly priceBps: number;
  /** On its own credentials, beside what it pays its provider. */
  readonly ownCredentialBps: number;
}

/** As the operator set it for one organization; null is the default of the platform. */
interface SetPrices {
  readonly priceBps?: number | null;
  readonly ownCredentialBps?: number | null;
}

export const PRICE_BPS_MAX = 100_000;

/** `SVC_PRICE_BPS` and `SVC_OWN_CREDENTIAL_BPS`. */
export const DEFAULT_PRICES: OrganizationPrices = { priceBps: 10_000, ownCredentialBps: 0 };

export const pricesInForce = (set: SetPrices, defaults: OrganizationPrices): OrganizationPrices => ({
  priceBps: set.priceBps ?? defaults.priceBps,
  ownCredentialBps: set.ownCredentialBps ?? defaults.ownCredentialBps,
});

/** Whose credential it is: the organization's, the platform's, or nobody's. */
export type Credential = 'own' | 'platform' | 'none';

/** The wallet's part, in basis points of the catalog's prices. */
export const walletBpsOf = (
  { priceBps, ownCredentialBps }: OrganizationPrices,
  credential: Credential,
): number => (credential === 'own' ? ownCredentialBps : priceBps);
