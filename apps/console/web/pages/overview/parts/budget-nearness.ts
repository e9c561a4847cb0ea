import { standingOf, type Budget, type BudgetPressure } from '../../../calls/budget-standing';
import { spentShare } from '../../../format/money';

type MeasuredBudget = Budget & { readonly spent_nanos: bigint };

const isMeasured = (budget: Budget): budget is MeasuredBudget => budget.spent_nanos !== null;

/**
 * The budgets that block calls, then those that are the closest to their amounts, the closest first. Those of sessions and of
 * each have no single total.
 */
export function nearest(
  budgets: readonly Budget[],
  pressureOf: (budget: Budget) => BudgetPressure,
  count: number,
): readonly MeasuredBudget[] {
  const blocks = (budget: Budget) => (standingOf(budget, pressureOf(budget)) === 'blocking' ? 1 : 0);
  const share = (budget: MeasuredBudget) => spentShare(budget.spent_nanos, budget.amount_in_force_nanos);
  return budgets
    .filter(isMeasured)
    .sort((one, two) => blocks(two) - blocks(one) || share(two) - share(one))
    .slice(0, count);
}
