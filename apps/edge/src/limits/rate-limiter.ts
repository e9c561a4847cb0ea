import { type BucketDemand, type BucketHolder } from '@svc/limits';
import { type GatewayError } from '@svc/kernel';

export interface LimitDecision {
  /** `X-RateLimit-*` of the bucket that rejected the call, else of the binding one. */
  readonly headers: Readonly<Record<string, string>>;
  /** The 429 of a rejected call; null for an admitted one. */
  readonly refusal: GatewayError | null;
  /**
   * Returns what was taken, for a call refused at a later step
   * (docs/reference/limits-and-budgets.md#the-four-buckets).
   */
  giveBack(): Promise<void>;
}

/** Takes a call's demand out of all its buckets, or out of none (docs/reference/limits-and-budgets.md#the-four-buckets). */
export interface RateLimiter {
  /** @throws GatewayError `invalidRequest` when the demand could never fit. */
  admit(owner: BucketHolder, demand: BucketDemand): Promise<LimitDecision>;
  /** What {@link admit} would decide now; takes nothing. @throws as {@link admit} does. */
  peek(owner: BucketHolder, demand: BucketDemand): Promise<LimitDecision>;
}
