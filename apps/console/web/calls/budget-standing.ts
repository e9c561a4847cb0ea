import { type components } from '../api/generated/management';
import { periodStartOf } from './budget-period';
import { type ModelRequest } from './request';

export type Budget = components['schemas']['Budget'];
export type BudgetScope = Budget['scope'];
type Refusal = components['schemas']['RefusalRow'];

const PARTS = 10_000n;

/** In place of an id: each of the scope has an amount of its own. */
export const EACH = '*';

export const isOfEach = ({ scope_id: id }: Pick<Budget, 'scope_id'>): boolean => id === EACH;

/**
 * The effect of a budget on calls now. One of sessions, and one of each, has no single total; one that is disabled does
 * nothing.
 */
export type BudgetStanding = 'disabled' | 'session' | 'each' | 'within' | 'warning' | 'over' | 'blocking';

/** How the bar of a budget is coloured. */
export const meterTones = {
  disabled: 'off',
  session: 'off',
  each: 'off',
  within: 'good',
  warning: 'warn',
  over: 'bad',
  blocking: 'bad',
} as const satisfies Readonly<Record<BudgetStanding, string>>;

/** The facts that recent calls give about a budget. */
export interface BudgetPressure {
  /** The calls that it refused in the last 24 hours, but since it was changed and since its period began; null for none. */
  readonly refused: { readonly count: number; readonly lastAt: string } | null;
  /** The hold of a usual call of its scope, in nanos: the median of the newest calls. Null where none is known. */
  readonly usualHold: bigint | null;
}

/** Nothing is known of its calls. */
export const NO_PRESSURE: BudgetPressure = { refused: null, usualHold: null };

/**
 * A budget refuses a call whose hold does not fit beside what was spent and what calls under way hold
 * (docs/reference/limits-and-budgets.md#how-a-call-is-judged), so it blocks before its amount is spent.
 */
export function standingOf(budget: Budget, { refused, usualHold }: BudgetPressure): BudgetStanding {
  const { enabled, spent_nanos: spent, amount_in_force_nanos: amount, warn_at_bps: warnAt, action } = budget;
  if (!enabled) return 'disabled';
  if (spent === null) return budget.period === 'session' ? 'session' : 'each';
  const refusesCalls = refused !== null || amount - spent < (usualHold ?? 0n);
  if (action === 'block' && (spent >= amount || refusesCalls)) return 'blocking';
  if (spent >= amount) return 'over';
  return spent * PARTS >= amount * BigInt(warnAt) ? 'warning' : 'within';
}

/** The rest of the amount in force, in nanos, never below zero. Null where there is no single spend. */
export const leftOf = ({ spent_nanos: spent, amount_in_force_nanos: amount }: Budget): bigint | null =>
  spent === null ? null : spent > amount ? 0n : amount - spent;

/**
 * @param refusals those of the last 24 hours with the code `budget_exceeded`, by key.
 * @param calls the newest calls of the organization.
 */
export function pressureOn(
  budget: Budget,
  refusals: readonly Refusal[],
  calls: readonly ModelRequest[],
): BudgetPressure {
  return { refused: refusedBy(budget, refusals), usualHold: usualHoldIn(budget, calls) };
}

/** The error of a refused call names the budget by its id. A key's refusals count for the budget that refused it last. */
function refusedBy(budget: Budget, refusals: readonly Refusal[]): BudgetPressure['refused'] {
  const since = Math.max(Date.parse(budget.updated_at), periodStartOf(budget)?.getTime() ?? 0);
  const own = refusals.filter(
    ({ last_message: message, last_at: at }) => message.includes(budget.id) && Date.parse(at) >= since,
  );
  const lastAt = own
    .map(({ last_at: at }) => at)
    .sort()
    .at(-1);
  if (lastAt === undefined) return null;
  return { count: own.reduce((sum, { count }) => sum + count, 0), lastAt };
}

function usualHoldIn(budget: Budget, calls: readonly ModelRequest[]): bigint | null {
  const holds = calls
    .filter((call) => counts(budget, call))
    .map(({ cost }) => cost.held_nanos)
    .sort((one, other) => (one < other ? -1 : 1));
  return holds[Math.floor(holds.length / 2)] ?? null;
}

function counts({ scope, scope_id: id, project_id: project }: Budget, call: ModelRequest): boolean {
  if (project !== null && call.project_id !== project) return false;
  if (scope === 'organization') return true;
  const subject = subjects[scope](call);
  return subject !== null && (id === EACH || id === subject);
}

/** Whom of a scope a call is counted for; null for nobody, or where the call does not tell. */
const subjects: Readonly<
  Record<Exclude<BudgetScope, 'organization'>, (call: ModelRequest) => string | null>
> = {
  project: (call) => call.project_id,
  api_key: (call) => call.api_key_id,
  model: (call) => call.model,
  end_user: (call) => call.end_user_id,
  // A call has its key, and not whose that is.
  member: () => null,
};
