import { type BudgetSpendStore } from '@svc/persistence';

/** Budgets follow the books within a tick of the worker (interface.md, Limits: budget spend lag). */
export async function reconcileBudgets(spends: BudgetSpendStore): Promise<{ readonly more: boolean }> {
  await spends.reconcile();
  return { more: false };
}
