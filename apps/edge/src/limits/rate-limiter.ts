import { type Bucket, type BucketDemand } from '@svc/inference';
import { type GatewayError } from '@svc/kernel';

/** Whose buckets a call draws on; `buckets` as `bucketsFor` lists them. */
export interface BucketOwner {
  readonly apiKeyId: string;
  readonly organizationId: string;
  readonly buckets: readonly Bucket[];
}

export interface LimitDecision {
  /** `X-RateLimit-*` of the bucket that rejected the call, else of the binding one. */
  readonly headers: Readonly<Record<string, string>>;
  /** The 429 of a call that the buckets kept out; null for one they let in. */
  readonly refusal: GatewayError | null;
  /** Puts back what was taken, for a call refused at a later step (contract.md section 5). */
  giveBack(): Promise<void>;
}

/** Takes a call's demand out of its four buckets, or out of none (interface.md, Limits, rule 1). */
export interface RateLimiter {
  /** @throws GatewayError `invalidRequest` when the demand could never fit. */
  admit(owner: BucketOwner, demand: BucketDemand): Promise<LimitDecision>;
}
