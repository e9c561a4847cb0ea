import { type components } from '../../api/generated/management';
import { periodStartOf, type Budget } from '../../calls/budget-standing';

export { type Budget };
export type BudgetPeriod = components['schemas']['BudgetPeriod'];
export type Scope = Budget['scope'];
export type Period = Budget['period'];
export type Action = Budget['action'];

const PARTS = 10_000n;

/**
 * When the amount is reached, if the rest of the period is like what was so far. Null where it is not reached within the
 * period, is reached already, or where too little of the period is over to tell.
 */
export function reachedAt(budget: Budget, now: Date): Date | null {
  const { spent_nanos: spent, amount_nanos: amount, resets_at: resetsAt } = budget;
  const start = periodStartOf(budget);
  if (resetsAt === null || start === null || spent === null || spent <= 0n || spent >= amount) return null;
  const end = new Date(resetsAt);
  const elapsed = now.getTime() - start.getTime();
  if (elapsed <= 0) return null;
  const needed = Number((amount * PARTS) / spent) / Number(PARTS);
  const at = start.getTime() + elapsed * needed;
  return at < end.getTime() ? new Date(at) : null;
}

/** How many of the periods that are over would have reached an amount, and of how many. */
export function reachedIn(
  periods: readonly BudgetPeriod[],
  amount: bigint,
  today: string,
): { readonly reached: number; readonly of: number } {
  const over = periods.filter(({ end }) => end <= today);
  return { reached: over.filter(({ spent_nanos: spent }) => spent >= amount).length, of: over.length };
}
