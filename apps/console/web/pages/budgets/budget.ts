import { type components } from '../../api/generated/management';

export type Budget = components['schemas']['Budget'];
export type BudgetPeriod = components['schemas']['BudgetPeriod'];
export type Scope = Budget['scope'];
export type Period = Budget['period'];
export type Action = Budget['action'];

const PARTS = 10_000n;
const DAY_MS = 86_400_000;

/** What a budget does to calls now. One of sessions has no one sum; one that is disabled does nothing. */
export type Standing = 'disabled' | 'session' | 'within' | 'warning' | 'over' | 'blocking';

export function standingOf(budget: Budget): Standing {
  const { enabled, spent_nanos: spent, amount_nanos: amount, warn_at_bps: warnAt, action } = budget;
  if (!enabled) return 'disabled';
  if (spent === null) return 'session';
  if (spent >= amount) return action === 'block' ? 'blocking' : 'over';
  return spent * PARTS >= amount * BigInt(warnAt) ? 'warning' : 'within';
}

/**
 * When the amount is reached, if the rest of the period is like what was so far. Null where it is not reached within the
 * period, is reached already, or where too little of the period is over to tell.
 */
export function reachedAt(
  { spent_nanos: spent, amount_nanos: amount, ...of }: Budget,
  now: Date,
): Date | null {
  if (of.resets_at === null || spent === null || spent <= 0n || spent >= amount) return null;
  const end = new Date(of.resets_at);
  const start = startOf(of.period, end);
  const elapsed = now.getTime() - start.getTime();
  if (elapsed <= 0) return null;
  const needed = Number((amount * PARTS) / spent) / Number(PARTS);
  const at = start.getTime() + elapsed * needed;
  return at < end.getTime() ? new Date(at) : null;
}

/** The UTC day or month that ends then. */
function startOf(period: Period, end: Date): Date {
  if (period === 'day') return new Date(end.getTime() - DAY_MS);
  return new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1));
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
