import { type BucketDemand, type BucketHolder } from '@svc/limits';
import { type GatewayError } from '@svc/kernel';
import { type AffinityName } from '../call/call-affinity';

export interface LimitDecision {
  /** `X-RateLimit-*` of the bucket that rejected the call, else of the binding one. */
  readonly headers: Readonly<Record<string, string>>;
  /** The 429 of a rejected call; null for an admitted one. */
  readonly refusal: GatewayError | null;
  /** The affinity entry of the key that {@link RateLimiter.admit} was given; absent where there is none. */
  readonly entry?: string;
  /**
   * Returns what was taken, for a call refused at a later step
   * (docs/reference/limits-and-budgets.md#the-four-buckets).
   */
  giveBack(): Promise<void>;
}

/** Takes a call's demand out of all its buckets, or out of none (docs/reference/limits-and-budgets.md#the-four-buckets), and keeps the affinity entries beside. */
export interface RateLimiter {
  /**
   * @param affinity names an affinity entry that is read in the same round trip
   * @throws GatewayError `invalidRequest` when the demand could never fit.
   */
  admit(owner: BucketHolder, demand: BucketDemand, affinity?: AffinityName | null): Promise<LimitDecision>;
  /** The decision of {@link admit} now; takes nothing. @throws as {@link admit} does. */
  peek(owner: BucketHolder, demand: BucketDemand): Promise<LimitDecision>;
  /** Keeps an affinity entry for its time. Nobody waits for it; where it is lost, the conversation's next turn has none. */
  keepEntry(affinity: AffinityName, entry: string): void;
}
