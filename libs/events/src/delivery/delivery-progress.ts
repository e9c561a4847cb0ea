import { MAX_ATTEMPTS, nextAttemptAt } from './retry-schedule';

/** How long an endpoint has to acknowledge an attempt (interface.md, Acknowledgement and retries). */
export const ACKNOWLEDGEMENT_TIMEOUT_MS = 10_000;

/** How long a delivery waits for a paused or disabled endpoint before it is dead (contract.md section 8). */
export const PARKED_DELIVERY_LIFETIME_MS = 30 * 24 * 60 * 60_000;

export type DeliveryStatus = 'queued' | 'succeeded' | 'failed' | 'dead';

/** How one attempt ended; `worker_lost`: the process that made it died before it could tell. */
export type DeliveryOutcome = 'acknowledged' | 'failed' | 'worker_lost';

/** Where a delivery stands (interface.md, Webhook delivery; contract.md section 8). */
export interface DeliveryProgress {
  readonly status: DeliveryStatus;
  /** From 1; a retry by hand starts the next. */
  readonly round: number;
  /** Attempts of this round, the one in flight too: it counts from its claim on, so that a crash can't undo it. */
  readonly attemptCount: number;
  /** Null when no attempt is to come. */
  readonly nextAttemptAt: Date | null;
}

export const newDelivery = (now: Date): DeliveryProgress => ({
  status: 'queued',
  round: 1,
  attemptCount: 0,
  nextAttemptAt: now,
});

/** Any 2xx acknowledges; a redirect, any other status, or none does not. */
export const outcomeOf = (statusCode: number | null): DeliveryOutcome =>
  statusCode !== null && statusCode >= 200 && statusCode <= 299 ? 'acknowledged' : 'failed';

/**
 * Where a delivery stands once the attempt that `attemptCount` counts last has ended, `now`. One that was lost is due
 * again at once, but is one of the six: so a delivery is sent six times a round at most, whatever dies.
 */
export function deliveryAfter(
  delivery: DeliveryProgress,
  outcome: DeliveryOutcome,
  now: Date,
  delaysSeconds?: readonly number[],
): DeliveryProgress {
  if (outcome === 'acknowledged') return { ...delivery, status: 'succeeded', nextAttemptAt: null };
  if (delivery.attemptCount >= MAX_ATTEMPTS) return { ...delivery, status: 'dead', nextAttemptAt: null };
  const dueAt = outcome === 'worker_lost' ? now : nextAttemptAt(delivery.attemptCount, now, delaysSeconds);
  return { ...delivery, status: 'failed', nextAttemptAt: dueAt };
}

/**
 * A retry by hand: due now, with the whole schedule before it again. One that is queued already stays as it is, so
 * that two retries at once are one.
 */
export function retriedByHand(delivery: DeliveryProgress, now: Date): DeliveryProgress {
  if (delivery.status === 'queued') return delivery;
  return { status: 'queued', round: delivery.round + 1, attemptCount: 0, nextAttemptAt: now };
}
