import { type DeliveryOutcome, type DeliveryStatus } from '@svc/events';
import { type LeasedDelivery } from './delivery-schedule';

/** How an attempt ended (docs/reference/webhooks.md#deliveries). */
export interface EndedAttempt {
  readonly delivery: LeasedDelivery;
  readonly outcome: DeliveryOutcome;
  /**
   * Whether the fault is ours. The delivery is retried as after any failure, but its endpoint's health does not change.
   */
  readonly isOwnFault: boolean;
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
  /** Whether this failure disabled its endpoint. */
  readonly isEndpointDisabled: boolean;
}
