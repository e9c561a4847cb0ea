import { type BudgetSpendStore, type OutboxStore } from '@svc/persistence';

const AGE_MAX_MS = 30 * 24 * 3_600_000;
const BATCH = 500;

/** Forgets what budgets counted in sessions that nobody has spent in for 30 days. */
export const deleteIdleSessions = async (spends: BudgetSpendStore): Promise<{ readonly more: boolean }> => ({
  more: (await spends.deleteIdleSessions(AGE_MAX_MS, BATCH)) === BATCH,
});

/** Forgets events that the transport took over 30 days ago: what was made of them is stored by their consumers. */
export const deletePublishedEvents = async (outbox: OutboxStore): Promise<{ readonly more: boolean }> => ({
  more: (await outbox.deletePublished(AGE_MAX_MS, BATCH)) === BATCH,
});
