import { limitHeaders, rateLimitError, type Admission, type Bucket } from '@svc/inference';
import { type LimitDecision } from './rate-limiter';

/** @param giveBack called for an admitted call only */
export function limitDecision(
  buckets: readonly Bucket[],
  admission: Admission,
  giveBack: () => Promise<void>,
): LimitDecision {
  const { admitted, states } = admission;
  return {
    headers: limitHeaders(buckets, states, admitted ? null : admission.rejected),
    refusal: admitted ? null : rateLimitError(admission.rejected, admission.retryAfterSeconds),
    giveBack: admitted ? giveBack : () => Promise.resolve(),
  };
}
