import { type Bucket } from './bucket';

/** Per minute; null stands for the default. */
export interface RateLimit {
  readonly rpm: number | null;
  readonly tpm: number | null;
}

export const KEY_RATE_LIMIT = { rpm: 600, tpm: 1_000_000 } as const;
export const ORGANIZATION_RATE_LIMIT = { rpm: 6_000, tpm: 10_000_000 } as const;

/** The four buckets of a call: the key's override or default, the organization's ceiling or default. */
export function bucketsFor(key: RateLimit, organization: RateLimit): readonly Bucket[] {
  return [
    { scope: 'key', unit: 'requests', capacity: key.rpm ?? KEY_RATE_LIMIT.rpm },
    { scope: 'key', unit: 'tokens', capacity: key.tpm ?? KEY_RATE_LIMIT.tpm },
    { scope: 'org', unit: 'requests', capacity: organization.rpm ?? ORGANIZATION_RATE_LIMIT.rpm },
    { scope: 'org', unit: 'tokens', capacity: organization.tpm ?? ORGANIZATION_RATE_LIMIT.tpm },
  ];
}
