import { type components } from '../api/generated/management';

export type Attempt = components['schemas']['WebhookDeliveryAttempt'];
/** Fields of deliveries to endpoints and to integrations that a row shows. */
export type DeliveryRow = Pick<
  components['schemas']['WebhookDelivery'],
  'id' | 'event_id' | 'event_type' | 'status' | 'round' | 'attempt_count' | 'next_attempt_at' | 'created_at'
>;
/** Fields that deliveries to endpoints and to integrations have in common. */
export type AnyDelivery = DeliveryRow &
  Pick<components['schemas']['WebhookDelivery'], 'attempts_log'> & { readonly payload: object };
/** The receiver of deliveries. */
export type Receiver = Pick<components['schemas']['WebhookEndpoint'], 'state' | 'consecutive_failures'>;

/** Sent whatever the state of its receiver (docs/reference/webhooks.md#while-it-is-paused-or-disabled). */
const TESTS: readonly string[] = ['webhook.test', 'integration.test'];

/** Why a delivery waits beyond its time: its receiver takes none. Null for one that is sent when it is due. */
export function heldBy(
  { event_type: type }: Pick<DeliveryRow, 'event_type'>,
  state: Receiver['state'] | undefined,
): 'paused' | 'disabled' | null {
  const isHeld = (state === 'paused' || state === 'disabled') && !TESTS.includes(type);
  return isHeld ? state : null;
}

const SOON_MS = 15_000;
/** A delivery that is later than this waits for something else, for its receiver for example. */
const LATE_MS = 60_000;
const SOON_EVERY_MS = 2_000;
const LATER_EVERY_MS = 30_000;

/** How often a delivery is looked at again: often while an attempt is due, seldom before and long after, not at all once it has ended. */
export function looksEvery(
  { status, next_attempt_at: next }: Pick<AnyDelivery, 'status' | 'next_attempt_at'>,
  atMs: number,
): number | false {
  if (status === 'succeeded' || status === 'dead') return false;
  const awayMs = next === null ? 0 : Date.parse(next) - atMs;
  const isSoon = awayMs < SOON_MS && awayMs > -LATE_MS;
  return isSoon ? SOON_EVERY_MS : LATER_EVERY_MS;
}
