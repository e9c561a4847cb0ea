/** Limits that end a rollout by itself. */
export interface RolloutLimits {
  /** Basis points; null for no limit. */
  readonly maxErrorRateBps: number | null;
  /** Milliseconds; null for no limit. */
  readonly maxTtftP95Ms: number | null;
  /** Fewer calls are not judged. */
  readonly minCalls: number;
}

/** The calls that a rollout moved in the time over which it is judged. */
export interface JudgedCalls {
  /** Those that succeeded, failed or were cancelled: not those that the caller got wrong. */
  readonly ended: number;
  readonly failed: number;
  /** Answers that began. */
  readonly begun: number;
  /** Of these; null without any. */
  readonly ttftP95Ms: number | null;
}

/** Why a rollout ended. `user`: somebody aborted it. */
export type RolloutReason = 'error_rate' | 'latency' | 'user' | 'ended';

/**
 * The reason that ends a running rollout now; null for none. A limit comes before the end: who reads why it ended learns that it failed.
 * @param isOver whether its `ends_at` has come
 */
export function judgeRollout(
  { maxErrorRateBps, maxTtftP95Ms, minCalls }: RolloutLimits,
  { ended, failed, begun, ttftP95Ms }: JudgedCalls,
  isOver: boolean,
): Exclude<RolloutReason, 'user'> | null {
  if (maxErrorRateBps !== null && ended >= minCalls && failed * 10_000 > maxErrorRateBps * ended) {
    return 'error_rate';
  }
  if (maxTtftP95Ms !== null && begun >= minCalls && ttftP95Ms !== null && ttftP95Ms > maxTtftP95Ms) {
    return 'latency';
  }
  return isOver ? 'ended' : null;
}
