import { type components } from '../../api/generated/management';
import { spentShare } from '../../format/money';

type Budget = components['schemas']['Budget'];
type MeasuredBudget = Budget & { readonly spent_nanos: bigint };

const isMeasured = (budget: Budget): budget is MeasuredBudget => budget.spent_nanos !== null;

/** The budgets that are the closest to their amounts, the closest first. Those of sessions have no one sum. */
export const nearest = (budgets: readonly Budget[], count: number): readonly MeasuredBudget[] =>
  budgets
    .filter(isMeasured)
    .sort(
      (one, two) =>
        spentShare(two.spent_nanos, two.amount_nanos) - spentShare(one.spent_nanos, one.amount_nanos),
    )
    .slice(0, count);
