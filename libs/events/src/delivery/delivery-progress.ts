import { MAX_ATTEMPTS, nextAttemptAt } from './retry-schedule';

/** The time-out for an endpoint's acknowledgement (docs/reference/webhooks.md#schedule). */
export const ACKNOWLEDGEMENT_TIMEOUT_MS = 10_000;

/**
 * How long a delivery waits for a paused or disabled endpoint before it is dead
 * (docs/reference/webhooks.md#while-it-is-paused-or-disabled).
 */
export const PARKED_DELIVERY_LIFETIME_MS = 30 * 24 * 60 * 60_000;

export type DeliveryStatus = 'queued' | 'succeeded' | 'failed' | 'dead';

/** How one attempt ended. `worker_lost`: the process died before it recorded the outcome. */
export type DeliveryOutcome = 'acknowledged' | 'failed' | 'worker_lost';

/** The state of a delivery (docs/reference/webhooks.md#deliveries). */
export interface DeliveryProgress {
  readonly status: DeliveryStatus;
  /** Starts at 1. A retry by hand starts the next round. */
  readonly round: number;
  /**
   * Attempts of this round, including the one in flight: it counts from its claim on, so that a crash cannot undo it.
   */
  readonly attemptCount: number;
  /** Null when there is no next attempt. */
  readonly nextAttemptAt: Date | null;
}

export const newDelivery = (now: Date): DeliveryProgress => ({
  status: 'queued',
  round: 1,
  attemptCount: 0,
  nextAttemptAt: now,
});

/** Any 2xx acknowledges. A redirect, any other status, or no status does not. */
export const outcomeOf = (statusCode: number | null): DeliveryOutcome =>
  statusCode !== null && statusCode >= 200 && statusCode <= 299 ? 'acknowledged' : 'failed';

/**
 * The state of a delivery after its latest attempt ended at `now`. A lost attempt is due again at once, but counts as
 * one of the six, so a delivery is sent at most six times per round, even after crashes.
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
 * A retry by hand: due now, with a new schedule. A queued delivery stays unchanged, so that two concurrent retries are
 * one.
 */
export function retriedByHand(delivery: DeliveryProgress, now: Date): DeliveryProgress {
  if (delivery.status === 'queued') return delivery;
  return { status: 'queued', round: delivery.round + 1, attemptCount: 0, nextAttemptAt: now };
}
