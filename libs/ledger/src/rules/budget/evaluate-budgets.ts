import { addNanos, GatewayError, minNanos, type Nanos, subtractNanos } from '@svc/kernel';

import { type HoldRange } from '../wallet/hold';
import { type Budget } from './budget';

/** A budget that counts the call, with its consumption in the current period. */
export interface BudgetUsage {
  readonly budget: Budget;
  /** Spent or reserved by calls in flight. */
  readonly consumed: Nanos;
}

/** The reason that a hold was refused: the wallet, or the blocking budget with the least left. */
type HoldRefusal = 'wallet' | { readonly budgetId: string; readonly budgetName: string };

interface BudgetWarning {
  /** The value of `Svc-Budget-Warning`. Null for no header. */
  readonly budgetWarningBps: bigint | null;
}

/** The decision of `open_hold_parts` for a call: what its wallet holds. */
export type HoldDecision =
  | ({
      readonly held: Nanos;
      /** The amount that its budgets hold. Absent where it is the same. */
      readonly budgetHeld?: Nanos;
      readonly refusedBy: null;
    } & BudgetWarning)
  | ({ readonly held: null; readonly refusedBy: HoldRefusal } & BudgetWarning);

/**
 * Holds as much of the range as the wallet and every blocking budget can pay. Less than its minimum refuses the call
 * (docs/reference/limits-and-budgets.md#how-a-call-is-judged). The budgets are checked before the wallet. Where they count
 * more than the wallet pays, each limits its own part of the hold.
 *
 * This is the model of the SQL functions `decide_hold_parts` and `evaluate_budgets`, which decide under the wallet's lock. A property test of
 * the store compares the two; no service calls the model (docs/decisions/0019).
 * @param usages ordered by id: of equal budgets the first is named
 */
export function evaluateBudgets(
  usages: readonly BudgetUsage[],
  { holdMin, holdMax, budgetMin = holdMin, budgetMax }: HoldRange,
  walletAvailable: Nanos,
): HoldDecision {
  const blocking = usages.filter(({ budget }) => budget.action === 'block');
  const tightest = blocking.toSorted((a, b) => compare(roomOf(a), roomOf(b)))[0];
  const most = budgetMax ?? holdMax;
  const ceiling = tightest === undefined ? most : minNanos(most, roomOf(tightest));
  if (tightest !== undefined && ceiling < budgetMin) {
    const { id: budgetId, name: budgetName } = tightest.budget;
    const budgetWarningBps = budgetWarning(usages, budgetMin);
    return { held: null, refusedBy: { budgetId, budgetName }, budgetWarningBps };
  }
  if (walletAvailable < holdMin) {
    const budgetWarningBps = budgetWarning(usages, budgetMin);
    return { held: null, refusedBy: 'wallet', budgetWarningBps };
  }
  const payable = minNanos(ceiling, walletAvailable);
  if (budgetMax === undefined) {
    return { held: payable, refusedBy: null, budgetWarningBps: budgetWarning(usages, payable) };
  }
  const held = minNanos(payable, holdMax);
  return { held, budgetHeld: ceiling, refusedBy: null, budgetWarningBps: budgetWarning(usages, ceiling) };
}

/** The 402 of a refused hold (docs/reference/inference-and-compatibility.md#order-of-checks). */
export function holdRefusedError(refusedBy: HoldRefusal): GatewayError {
  if (refusedBy === 'wallet') {
    return new GatewayError(
      'insufficientFunds',
      'The wallet cannot pay for this call. Nothing was sent or charged.',
    );
  }
  return new GatewayError(
    'budgetExceeded',
    `The budget "${refusedBy.budgetName}" (${refusedBy.budgetId}) has too little left for this call. ` +
      'Nothing was sent or charged.',
    { param: 'budget' },
  );
}

/**
 * The most-consumed budget's projected consumption in basis points, rounded down, once it reaches that budget's
 * `warn_at_bps` (docs/reference/limits-and-budgets.md#the-warning-header). Of several most-consumed budgets the one
 * with the lowest threshold counts.
 */
function budgetWarning(usages: readonly BudgetUsage[], claimed: Nanos): bigint | null {
  const mostConsumed = usages
    .map(({ budget, consumed }) => ({
      bps: consumptionBps(addNanos(consumed, claimed), budget.amount),
      warnAtBps: budget.warnAtBps,
    }))
    .toSorted((a, b) => compare(b.bps, a.bps) || a.warnAtBps - b.warnAtBps)[0];
  return mostConsumed !== undefined && mostConsumed.bps >= mostConsumed.warnAtBps ? mostConsumed.bps : null;
}

/** A budget of 0 counts as fully consumed. */
function consumptionBps(consumed: Nanos, amount: Nanos): bigint {
  return amount === 0n ? 10_000n : (consumed * 10_000n) / amount;
}

const roomOf = ({ budget, consumed }: BudgetUsage): Nanos => subtractNanos(budget.amount, consumed);

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
