import { type BudgetSpendStore } from '@svc/ledger/store';

const BATCH = 200;

/** Records events for budgets that crossed their threshold or their amount since the last run. */
export async function announceBudgetCrossings(spends: BudgetSpendStore): Promise<{ readonly more: boolean }> {
  const reviewed = await spends.announceCrossings(BATCH);
  return { more: reviewed === BATCH };
}
