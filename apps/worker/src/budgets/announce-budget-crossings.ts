import { type BudgetSpendStore } from '@svc/ledger/store';
import { type BudgetMetrics } from './budget-metrics';

const BATCH = 200;

/** Records events for budgets that crossed their threshold or their amount since the last run. */
export async function announceBudgetCrossings(
  spends: BudgetSpendStore,
  metrics: BudgetMetrics,
): Promise<{ readonly more: boolean }> {
  const { reviewed, suppressed } = await spends.announceCrossings(BATCH);
  metrics.countSuppressed(suppressed);
  return { more: reviewed === BATCH };
}
