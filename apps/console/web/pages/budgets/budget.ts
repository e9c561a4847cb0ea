import { type components } from '../../api/generated/management';
import { periodStartOf } from '../../calls/budget-period';
import { type Budget } from '../../calls/budget-standing';

export { type Budget };
export type Override = NonNullable<Budget['override']>;
export type BudgetSpending = components['schemas']['BudgetSpending'];
export type BudgetPeriod = components['schemas']['BudgetPeriod'];
export type Scope = Budget['scope'];
export type Period = Budget['period'];
export type Action = Budget['action'];

const PARTS = 10_000n;

/** Whether another amount holds now. One that has ended stays on the budget until it is removed. */
export const isInForce = (override: Budget['override'], now: Date): override is Override =>
  override !== null && now < new Date(override.until);

/**
 * When the amount is reached, if the rest of the period is like what was so far. Null where it is not reached within the
 * period, is reached already, or where too little of the period is over to tell.
 */
export function reachedAt(budget: Budget, now: Date): Date | null {
  const { spent_nanos: spent, amount_in_force_nanos: amount, resets_at: resetsAt, override } = budget;
  const start = periodStartOf(budget);
  if (resetsAt === null || start === null || spent === null || spent <= 0n || spent >= amount) return null;
  const end = new Date(resetsAt);
  const elapsed = now.getTime() - start.getTime();
  if (elapsed <= 0) return null;
  const needed = Number((amount * PARTS) / spent) / Number(PARTS);
  const at = start.getTime() + elapsed * needed;
  // Beyond the end of an override another amount is in force.
  const endsMs = isInForce(override, now)
    ? Math.min(end.getTime(), Date.parse(override.until))
    : end.getTime();
  return at < endsMs ? new Date(at) : null;
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
