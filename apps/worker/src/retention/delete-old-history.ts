import {
  type BudgetSpendStore,
  type DeliveryRetention,
  type OutboxStore,
  type UsageStore,
} from '@svc/persistence';

const AGE_MAX_MS = 30 * 24 * 3_600_000;
/** Longer than Kafka keeps an event: a redelivered event must still find its deliveries. */
const DELIVERY_AGE_MAX_MS = 90 * 24 * 3_600_000;
const BATCH = 500;

/** Deletes the spend of budget sessions that were idle for 30 days. */
export const deleteIdleSessions = async (spends: BudgetSpendStore): Promise<{ readonly more: boolean }> => ({
  more: (await spends.deleteIdleSessions(AGE_MAX_MS, BATCH)) === BATCH,
});

/** Deletes events that the transport acknowledged 30 days ago: their consumers have stored what they need. */
export const deletePublishedEvents = async (outbox: OutboxStore): Promise<{ readonly more: boolean }> => ({
  more: (await outbox.deletePublished(AGE_MAX_MS, BATCH)) === BATCH,
});

/** Deletes the lists of usage tags of days on which no call begins any more. */
export const deleteOldUsageTags = async (usage: UsageStore): Promise<{ readonly more: boolean }> => ({
  more: (await usage.deleteOldTags(BATCH)) === BATCH,
});

/** Deletes webhook deliveries that ended 90 days ago, and events that no delivery needs any more. */
export async function deleteOldDeliveries(
  deliveries: DeliveryRetention,
): Promise<{ readonly more: boolean }> {
  const ended = await deliveries.deleteEnded(DELIVERY_AGE_MAX_MS, BATCH);
  const events = await deliveries.deleteUndelivered(DELIVERY_AGE_MAX_MS, BATCH);
  return { more: ended === BATCH || events === BATCH };
}
