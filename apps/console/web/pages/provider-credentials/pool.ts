import { type Credential } from './credential';

/** As the API takes it. */
export const WEIGHT_MAX = 1_000;
const WEIGHT_DEFAULT = 100;

/** The typed form of a credential's part in its pool; an empty weight is the default. */
export interface PoolDraft {
  readonly weight: number | null;
  readonly rpm: number | null;
  readonly tpm: number | null;
}

export const newPoolDraft: PoolDraft = { weight: WEIGHT_DEFAULT, rpm: null, tpm: null };

export const poolDraftOf = (credential: Credential): PoolDraft => ({
  weight: credential.weight,
  rpm: credential.rate_limit_rpm,
  tpm: credential.rate_limit_tpm,
});

/** The fields as the API takes them. */
export const poolBody = ({ weight, rpm, tpm }: PoolDraft) => ({
  weight: weight ?? WEIGHT_DEFAULT,
  rate_limit_rpm: rpm,
  rate_limit_tpm: tpm,
});

/**
 * The share of calls that an active credential gets among those of its provider, by weight; null for a spare, which gets
 * none while another has a weight. Where all are spares, they share evenly.
 */
export function shareOf(credential: Credential, pool: readonly Credential[]): number | null {
  const sum = pool.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return 1 / pool.length;
  return credential.weight === 0 ? null : credential.weight / sum;
}
