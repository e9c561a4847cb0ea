import { nanos } from '@svc/kernel';
import { type HoldDecision } from '../../rules/budget/evaluate-budgets';

/** A row of the answer of the SQL function `open_hold_parts`. */
export interface HoldDecisionRow {
  readonly held_nanos: string | null;
  /** Null where it is what the wallet holds. */
  readonly budget_held_nanos: string | null;
  readonly refused_budget_id: string | null;
  readonly refused_budget_name: string | null;
  readonly warning_bps: string | null;
}

export function holdDecision(row: HoldDecisionRow): HoldDecision {
  const budgetWarningBps = row.warning_bps === null ? null : BigInt(row.warning_bps);
  if (row.held_nanos !== null) {
    const held = nanos(BigInt(row.held_nanos));
    if (row.budget_held_nanos === null) return { held, refusedBy: null, budgetWarningBps };
    return { held, budgetHeld: nanos(BigInt(row.budget_held_nanos)), refusedBy: null, budgetWarningBps };
  }
  const { refused_budget_id: budgetId, refused_budget_name: budgetName } = row;
  const refusedBy = budgetId === null || budgetName === null ? 'wallet' : { budgetId, budgetName };
  return { held: null, refusedBy, budgetWarningBps };
}
