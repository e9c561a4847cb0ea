import { type BudgetSpendStore, type DeliveryRetention, type OutboxStore } from '@svc/persistence';

const AGE_MAX_MS = 30 * 24 * 3_600_000;
/** Longer than Kafka keeps an event, which would else be delivered anew. */
const DELIVERY_AGE_MAX_MS = 90 * 24 * 3_600_000;
const BATCH = 500;

/** Forgets what budgets counted in sessions that nobody has spent in for 30 days. */
export const deleteIdleSessions = async (spends: BudgetSpendStore): Promise<{ readonly more: boolean }> => ({
  more: (await spends.deleteIdleSessions(AGE_MAX_MS, BATCH)) === BATCH,
});

/** Forgets events that the transport took over 30 days ago: what was made of them is stored by their consumers. */
export const deletePublishedEvents = async (outbox: OutboxStore): Promise<{ readonly more: boolean }> => ({
  more: (await outbox.deletePublished(AGE_MAX_MS, BATCH)) === BATCH,
});

/** Forgets webhook deliveries that ended 90 days ago, and the events that no delivery needs any more. */
export async function deleteOldDeliveries(
  deliveries: DeliveryRetention,
): Promise<{ readonly more: boolean }> {
  const ended = await deliveries.deleteEnded(DELIVERY_AGE_MAX_MS, BATCH);
  const events = await deliveries.deleteUndelivered(DELIVERY_AGE_MAX_MS, BATCH);
  return { more: ended === BATCH || events === BATCH };
}
