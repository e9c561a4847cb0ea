import { type Bucket } from './bucket';
import { type BucketOwner } from './bucket-groups';
import { NO_LIMIT, type RateLimit } from './limits';

/** The buckets of a provider credential. Whatever is sent with it takes from them. */
interface CredentialBuckets {
  /** Names the credential: the same in every process. */
  readonly credential: string;
  /** Two pairs, as the key and the organization of a call have: one limits requests, the other tokens. */
  readonly buckets: readonly [Bucket, Bucket, Bucket, Bucket];
}

/** Whose buckets are taken from together. */
export type BucketHolder = BucketOwner | CredentialBuckets;

export const credentialBuckets = (credential: string, { rpm, tpm }: RateLimit): CredentialBuckets => ({
  credential,
  buckets: [
    { scope: 'credential', unit: 'requests', capacity: rpm ?? NO_LIMIT },
    { scope: 'credential', unit: 'tokens', capacity: NO_LIMIT },
    { scope: 'credential', unit: 'requests', capacity: NO_LIMIT },
    { scope: 'credential', unit: 'tokens', capacity: tpm ?? NO_LIMIT },
  ],
});
