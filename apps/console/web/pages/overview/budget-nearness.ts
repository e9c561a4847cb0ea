import { type components } from '../../api/generated/management';

type Budget = components['schemas']['Budget'];
export type MeasuredBudget = Budget & { readonly spent_nanos: bigint };

const PARTS = 10_000n;

/** How much of its amount a budget has spent: 1 is all of it. A budget of nothing is spent at once. */
export const spentShare = (spent: bigint, amount: bigint): number =>
  amount === 0n ? 1 : Number((spent * PARTS) / amount) / Number(PARTS);

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
