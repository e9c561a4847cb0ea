import { type Database } from '@svc/database';
import { DeliveryRetention } from '@svc/deliveries/store';

const DELETE_EVERY_MS = 3_600_000;
/** Longer than Kafka keeps an event: a redelivered event must still find its deliveries. */
const AGE_MAX_MS = 90 * 24 * 3_600_000;
const BATCH = 500;

/** The periodic task of deliveries. The dispatcher makes and sends them. */
export function deliveryTasks(database: Database) {
  const deliveries = new DeliveryRetention(database);
  return [{ name: 'old-deliveries', everyMs: DELETE_EVERY_MS, run: () => deleteOldDeliveries(deliveries) }];
}

/** Deletes webhook deliveries that ended 90 days ago, and events that no delivery needs any more. */
export async function deleteOldDeliveries(
  deliveries: DeliveryRetention,
): Promise<{ readonly more: boolean }> {
  const ended = await deliveries.deleteEnded(AGE_MAX_MS, BATCH);
  const events = await deliveries.deleteUndelivered(AGE_MAX_MS, BATCH);
  return { more: ended === BATCH || events === BATCH };
}
