/** Seconds to wait after the first, second, … failed attempt (docs/reference/webhooks.md#schedule). */
export const DEFAULT_RETRY_DELAYS_SECONDS: readonly number[] = [60, 300, 1_800, 7_200, 43_200];

/** Attempts of a delivery before it is dead. A retry by hand resets the count. */
export const MAX_ATTEMPTS = 6;

/**
 * Seconds from the failure of attempt number `deliveryAttempt` (1 to 6) to the next one. Null after the last. For use
 * with the database's clock.
 */
export function retryDelaySeconds(
  deliveryAttempt: number,
  delaysSeconds: readonly number[] = DEFAULT_RETRY_DELAYS_SECONDS,
): number | null {
  if (!Number.isInteger(deliveryAttempt) || deliveryAttempt < 1) {
    throw new RangeError('attempts count from 1');
  }
  if (deliveryAttempt >= MAX_ATTEMPTS) return null;
  const delaySeconds = delaysSeconds[deliveryAttempt - 1];
  if (delaySeconds === undefined) throw new RangeError(`no delay after attempt ${String(deliveryAttempt)}`);
  return delaySeconds;
}

/** The exact time of the next attempt, without jitter. Null after the last. */
export function nextAttemptAt(
  deliveryAttempt: number,
  failedAt: Date,
  delaysSeconds: readonly number[] = DEFAULT_RETRY_DELAYS_SECONDS,
): Date | null {
  const delaySeconds = retryDelaySeconds(deliveryAttempt, delaysSeconds);
  return delaySeconds === null ? null : new Date(failedAt.getTime() + delaySeconds * 1_000);
}
