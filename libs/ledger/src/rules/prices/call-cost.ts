import { costOf, type Prices, WHOLE_BPS } from '@svc/catalog';
import { minNanos, nanos, type Nanos, ZERO_NANOS } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';
import { type AttemptPrices } from '../wallet/hold';
import { type Credential, type OrganizationPrices, walletBpsOf } from './organization-prices';

/** For a hold. The prices themselves where the wallet pays all of them and nobody else pays. */
export function attemptPrices(
  prices: Prices,
  ofOrganization: OrganizationPrices,
  credential: Credential,
): AttemptPrices {
  const walletBps = walletBpsOf(ofOrganization, credential);
  const isOwn = credential === 'own';
  return walletBps === WHOLE_BPS && !isOwn ? prices : { ...prices, walletBps, isOwn };
}

/** The two parts of a call's cost: the wallet's, and that of the organization's own account at the provider. */
export interface CallCost {
  readonly charge: Nanos;
  readonly providerCost: Nanos;
}

export const NO_COST: CallCost = { charge: ZERO_NANOS, providerCost: ZERO_NANOS };
/** A provider can report what it likes, and the books keep exact integers. */
const PROVIDER_COST_MAX = nanos(Number.MAX_SAFE_INTEGER);

/** Each is exact, and rounded up once. */
export const callCost = (
  usage: TokenUsage,
  prices: Prices,
  ofOrganization: OrganizationPrices,
  credential: Credential,
): CallCost => ({
  charge: costOf(usage, prices, walletBpsOf(ofOrganization, credential)),
  providerCost: credential === 'own' ? minNanos(costOf(usage, prices), PROVIDER_COST_MAX) : ZERO_NANOS,
});
