import { addNanos, GatewayError, minNanos, type Nanos, subtractNanos } from '@svc/kernel';

import { type HoldRange } from '../wallet/hold';
import { type Budget } from './budget';

/** A budget in the call's scope, in the call's period. */
export interface BudgetStanding {
  readonly budget: Budget;
  /** Spent, and reserved by calls in flight. */
  readonly consumed: Nanos;
}

/** Who refused a call: the wallet, or the blocking budget that had least left. */
export type HoldRefusal = 'wallet' | { readonly budgetId: string; readonly budgetName: string };

interface Warned {
  /** The value of `Svc-Budget-Warning`; null for no header. */
  readonly budgetWarningBps: bigint | null;
}

/** What open_holds decides for a call. */
export type HoldDecision =
  | ({ readonly held: Nanos; readonly refusedBy: null } & Warned)
  | ({ readonly held: null; readonly refusedBy: HoldRefusal } & Warned);

/**
 * Holds as much of the range as the wallet and every blocking budget can pay; less than its minimum refuses the call
 * (interface.md, Limits, rule 4; contract.md section 5, steps 7 and 8). The budgets are asked before the wallet.
 * This is the rule; `open_holds` applies it under the wallet's lock.
 * @param standings ordered by id: the first of equals is named
 */
export function evaluateBudgets(
  standings: readonly BudgetStanding[],
  { holdMin, holdMax }: HoldRange,
  walletAvailable: Nanos,
): HoldDecision {
  const blocking = standings.filter(({ budget }) => budget.action === 'block');
  const tightest = blocking.toSorted((a, b) => compare(roomOf(a), roomOf(b)))[0];
  const ceiling = tightest === undefined ? holdMax : minNanos(holdMax, roomOf(tightest));
  if (tightest !== undefined && ceiling < holdMin) {
    const { id: budgetId, name: budgetName } = tightest.budget;
    const budgetWarningBps = budgetWarning(standings, holdMin);
    return { held: null, refusedBy: { budgetId, budgetName }, budgetWarningBps };
  }
  if (walletAvailable < holdMin) {
    return { held: null, refusedBy: 'wallet', budgetWarningBps: budgetWarning(standings, holdMin) };
  }
  const held = minNanos(ceiling, walletAvailable);
  return { held, refusedBy: null, budgetWarningBps: budgetWarning(standings, held) };
}

/** The 402 of a refused hold (interface.md, Errors). */
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
 * `warn_at_bps` (interface.md, Limits, rule 3). Where several are consumed most, the first to warn counts.
 */
function budgetWarning(standings: readonly BudgetStanding[], claimed: Nanos): bigint | null {
  const mostConsumed = standings
    .map(({ budget, consumed }) => ({
      bps: consumptionBps(addNanos(consumed, claimed), budget.amount),
      warnAtBps: budget.warnAtBps,
    }))
    .toSorted((a, b) => compare(b.bps, a.bps) || a.warnAtBps - b.warnAtBps)[0];
  return mostConsumed !== undefined && mostConsumed.bps >= mostConsumed.warnAtBps ? mostConsumed.bps : null;
}

/** A budget of nothing is consumed whole. */
function consumptionBps(consumed: Nanos, amount: Nanos): bigint {
  return amount === 0n ? 10_000n : (consumed * 10_000n) / amount;
}

const roomOf = ({ budget, consumed }: BudgetStanding): Nanos => subtractNanos(budget.amount, consumed);

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
