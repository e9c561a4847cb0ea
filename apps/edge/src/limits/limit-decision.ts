import { limitHeaders, rateLimitError, type Admission, type Bucket } from '@svc/limits';
import { type LimitDecision } from './rate-limiter';

const nothing = (): Promise<void> => Promise.resolve();

/** @param giveBack called for admitted calls only; omit it when nothing was taken. */
export function limitDecision(
  buckets: readonly Bucket[],
  admission: Admission,
  giveBack = nothing,
): LimitDecision {
  const { admitted, states } = admission;
  return {
    headers: limitHeaders(buckets, states, admitted ? null : admission.rejected),
    refusal: admitted ? null : rateLimitError(admission.rejected, admission.retryAfterSeconds),
    giveBack: admitted ? giveBack : nothing,
  };
}
