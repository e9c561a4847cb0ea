import { type BudgetSpendStore } from '@svc/ledger/store';

/** Reconciles the spend of budgets with the books (docs/reference/limits-and-budgets.md#budget-events). */
export async function reconcileBudgets(spends: BudgetSpendStore): Promise<{ readonly more: boolean }> {
  await spends.reconcile();
  return { more: false };
}
