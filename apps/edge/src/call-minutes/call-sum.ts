import { TIME_BOUNDS, timeBound } from '@svc/usage';
import { isFailure, type EndedCall } from './ended-call';

/** The sum of calls, as it grows. */
export interface CallSum {
  calls: number;
  failures: number;
  cancelled: number;
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  spentNanos: number;
  providerNanos: number;
  readonly durations: Uint32Array;
  readonly timesToFirstToken: Uint32Array;
  /** True where the database has it, or is being sent it. */
  isWritten: boolean;
}

/** The charges of a call: to the wallet, and to the organization's own account at the provider. */
export interface CallCharges {
  readonly customerNanos: number;
  readonly providerNanos: number;
}

export const newCallSum = (): CallSum => ({
  calls: 0,
  failures: 0,
  cancelled: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  spentNanos: 0,
  providerNanos: 0,
  durations: new Uint32Array(TIME_BOUNDS),
  timesToFirstToken: new Uint32Array(TIME_BOUNDS),
  isWritten: false,
});

export function addCall(
  sum: CallSum,
  call: Pick<EndedCall, 'status' | 'httpStatus' | 'usage' | 'ttftMs' | 'durationMs'>,
  { customerNanos, providerNanos }: CallCharges,
): void {
  const { status, usage, ttftMs, durationMs } = call;
  sum.calls++;
  if (isFailure(call)) sum.failures++;
  if (status === 'cancelled') sum.cancelled++;
  sum.spentNanos += customerNanos;
  sum.providerNanos += providerNanos;
  if (usage !== null) {
    sum.inputTokens += usage.inputTokens;
    sum.cachedInputTokens += usage.cachedInputTokens;
    sum.cacheWriteTokens += usage.cacheWriteTokens;
    sum.outputTokens += usage.outputTokens;
    sum.reasoningTokens += usage.reasoningTokens;
  }
  if (status === 'succeeded') count(sum.durations, durationMs);
  if (ttftMs !== null) count(sum.timesToFirstToken, ttftMs);
}

function count(histogram: Uint32Array, ms: number): void {
  const bound = timeBound(ms);
  histogram[bound] = (histogram[bound] ?? 0) + 1;
}
