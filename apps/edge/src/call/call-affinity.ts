import { type AffinityEntry } from '@svc/policy';

/** Names an affinity entry (docs/credential-pools.md#affinity). */
export interface AffinityName {
  readonly organizationId: string;
  /** See `affinityKey`. */
  readonly key: string;
}

/** The conversation of a call, and where it was answered last: null for its first turn. */
export interface CallAffinity extends AffinityName {
  readonly entry: AffinityEntry | null;
}
