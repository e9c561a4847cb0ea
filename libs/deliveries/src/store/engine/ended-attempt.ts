import { type DeliveryOutcome, type DeliveryStatus } from '@svc/events';
import { type LeasedDelivery } from './leased-delivery';

/** How an attempt ended (docs/reference/webhooks.md#deliveries). */
export interface EndedAttempt<Leased extends LeasedDelivery = LeasedDelivery> {
  readonly delivery: Leased;
  readonly outcome: DeliveryOutcome;
  /**
   * True where the fault is ours. The delivery is retried as after any failure, but its receiver's health does not change.
   */
  readonly isOwnFault: boolean;
  /** True where trying again cannot help: the delivery is dead. Absent: it can. */
  readonly isFinal?: boolean;
  /** The least time until the next try; null or absent for that of the schedule. */
  readonly retryAfterSeconds?: number | null;
  /** Null for an attempt whose process was lost. */
  readonly durationMs: number | null;
  readonly statusCode: number | null;
  /** An error code; null when an answer came. */
  readonly error: string | null;
  readonly responseExcerpt: string | null;
}

/** The state of the delivery after the settlement. */
export interface SettledDelivery {
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Date | null;
  /** True where this failure disabled its receiver. */
  readonly isReceiverDisabled: boolean;
}
