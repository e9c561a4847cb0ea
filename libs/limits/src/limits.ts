import { type Bucket } from './bucket';

/** Requests and tokens per minute. Null means the default. */
export interface RateLimit {
  readonly rpm: number | null;
  readonly tpm: number | null;
}

/** The largest limit that can be stored, in the place of one that is not set. */
export const NO_LIMIT = 2 ** 31 - 1;

const KEY_RATE_LIMIT = { rpm: 600, tpm: 1_000_000 } as const;
export const ORGANIZATION_RATE_LIMIT = { rpm: 6_000, tpm: 10_000_000 } as const;

/** The four buckets of every call, from the limits of the key and the organization. */
export function bucketsFor(key: RateLimit, organization: RateLimit): readonly Bucket[] {
  return [
    { scope: 'key', unit: 'requests', capacity: key.rpm ?? KEY_RATE_LIMIT.rpm },
    { scope: 'key', unit: 'tokens', capacity: key.tpm ?? KEY_RATE_LIMIT.tpm },
    { scope: 'org', unit: 'requests', capacity: organization.rpm ?? ORGANIZATION_RATE_LIMIT.rpm },
    { scope: 'org', unit: 'tokens', capacity: organization.tpm ?? ORGANIZATION_RATE_LIMIT.tpm },
  ];
}
