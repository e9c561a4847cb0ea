import { type DeliveryRetention } from '@svc/deliveries/store';

/** Longer than Kafka keeps an event: a redelivered event must still find its deliveries. */
const DELIVERY_AGE_MAX_MS = 90 * 24 * 3_600_000;
const BATCH = 500;

/** Deletes webhook deliveries that ended 90 days ago, and events that no delivery needs any more. */
export async function deleteOldDeliveries(
  deliveries: DeliveryRetention,
): Promise<{ readonly more: boolean }> {
  const ended = await deliveries.deleteEnded(DELIVERY_AGE_MAX_MS, BATCH);
  const events = await deliveries.deleteUndelivered(DELIVERY_AGE_MAX_MS, BATCH);
  return { more: ended === BATCH || events === BATCH };
}
