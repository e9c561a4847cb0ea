import { type components } from '../api/generated/management';
import { every } from '../browser/every';

export type Attempt = components['schemas']['WebhookDeliveryAttempt'];
/** What a row shows of deliveries to endpoints and to integrations. */
export type DeliveryRow = Pick<
  components['schemas']['WebhookDelivery'],
  'id' | 'event_id' | 'event_type' | 'status' | 'round' | 'attempt_count' | 'next_attempt_at' | 'created_at'
>;
/** What deliveries to endpoints and to integrations have in common. */
export type AnyDelivery = DeliveryRow &
  Pick<components['schemas']['WebhookDelivery'], 'attempts_log'> & { readonly payload: object };
/** What receives them. */
export type Receiver = Pick<components['schemas']['WebhookEndpoint'], 'state' | 'consecutive_failures'>;

export const receiverStates = every<Receiver['state']>()('active', 'failing', 'paused', 'disabled');

const SOON_MS = 15_000;
const SOON_EVERY_MS = 2_000;
const LATER_EVERY_MS = 30_000;

/** How often a delivery is looked at again: often while an attempt is due, not at all once it has ended. */
export function looksEvery(
  { status, next_attempt_at: next }: Pick<AnyDelivery, 'status' | 'next_attempt_at'>,
  atMs: number,
): number | false {
  if (status === 'succeeded' || status === 'dead') return false;
  const isSoon = next === null || Date.parse(next) - atMs < SOON_MS;
  return isSoon ? SOON_EVERY_MS : LATER_EVERY_MS;
}
