import { type Nanos } from '@svc/kernel';

export const budgetScopes = ['organization', 'project', 'api_key', 'member', 'model', 'end_user'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

export const budgetPeriods = ['day', 'week', 'month', 'quarter', 'session'] as const;

/** The `scope_id` of a budget that gives each of its scope an amount of its own. */
export const EACH = '*';

/** The amount until a moment, up or down. */
export interface BudgetOverride {
  readonly amount: Nanos;
  /** On the database's clock: from this millisecond on it holds no more. */
  readonly until: Date;
  readonly reason: string;
}

/** Caps the spend of one scope over one period (docs/reference/limits-and-budgets.md#budgets). */
export interface Budget {
  readonly id: string;
  readonly name: string;
  readonly scope: BudgetScope;
  /** {@link EACH}: nobody in particular. */
  readonly scopeId: string;
  /** Counts only calls of this project; null for calls of all. */
  readonly projectId: string | null;
  readonly period: (typeof budgetPeriods)[number];
  readonly amount: Nanos;
  readonly override: BudgetOverride | null;
  readonly action: 'warn' | 'block';
  readonly warnAtBps: number;
  readonly enabled: boolean;
}

/** The facts of a call that decide which budgets count it. */
export interface BudgetedCall {
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly apiKeyId: string;
  /** Whose key it is; null for nobody's. */
  readonly memberId: string | null;
  /** The one that is charged: the target of an alias. */
  readonly model: string;
  /** As `eu_…` (docs/end-users.md). */
  readonly endUserId: string | null;
  /** `Svc-Session-Id` (docs/reference/limits-and-budgets.md#sessions). */
  readonly sessionId: string | null;
}

/**
 * The enabled budgets that count the call, of those of its organization. One that names somebody takes the place of the
 * {@link EACH} of the same scope, period and project. The model of `budgets_that_count`.
 */
export function budgetsThatCount(budgets: readonly Budget[], call: BudgetedCall): readonly Budget[] {
  const counting = budgets.filter((budget) => counts(budget, call));
  return counting.filter(
    (budget) =>
      budget.scopeId !== EACH ||
      !counting.some(
        ({ scope, scopeId, period, projectId }) =>
          scopeId !== EACH &&
          scope === budget.scope &&
          period === budget.period &&
          projectId === budget.projectId,
      ),
  );
}

function counts({ enabled, scope, scopeId, projectId, period }: Budget, call: BudgetedCall): boolean {
  const subject = subjectOf(scope, call);
  return (
    enabled &&
    subject !== null &&
    (scopeId === EACH || scopeId === subject) &&
    (projectId === null || projectId === call.projectId) &&
    (period !== 'session' || call.sessionId !== null)
  );
}

/** Whom of a scope the call is counted for; null for nobody. The model of `budget_subject`. */
export function subjectOf(scope: BudgetScope, call: BudgetedCall): string | null {
  switch (scope) {
    case 'organization':
      return call.organizationId;
    case 'project':
      return call.projectId;
    case 'api_key':
      return call.apiKeyId;
    case 'member':
      return call.memberId;
    case 'model':
      return call.model;
    case 'end_user':
      return call.endUserId;
  }
}

/** The model of `budget_amount`. */
export const amountInForce = (
  { amount, override }: Pick<Budget, 'amount' | 'override'>,
  atMs: number,
): Nanos => (override !== null && atMs < override.until.getTime() ? override.amount : amount);

/**
 * The key of the current period: the UTC day (2026-11-20), the week by ISO 8601 (2026-W47), the month (2026-11), the
 * quarter (2026-Q4) or the caller's session. Null for a session budget and a call without a session. The model of
 * `budget_period_key`.
 */
export function budgetPeriodKey(
  period: Budget['period'],
  sessionId: string | null,
  atMs: number,
): string | null {
  const timestamp = new Date(atMs).toISOString();
  switch (period) {
    case 'day':
      return timestamp.slice(0, 10);
    case 'week':
      return weekOf(atMs);
    case 'month':
      return timestamp.slice(0, 7);
    case 'quarter':
      return `${timestamp.slice(0, 4)}-Q${String(Math.ceil(Number(timestamp.slice(5, 7)) / 3))}`;
    case 'session':
      return sessionId;
  }
}

const DAY_MS = 86_400_000;

/** A week belongs to the year that its Thursday is in. */
function weekOf(atMs: number): string {
  const day = Math.floor(atMs / DAY_MS);
  // The first day of 1970 was a Thursday.
  const weekday = (day + 3) % 7;
  const thursdayMs = (day - weekday + 3) * DAY_MS;
  const year = new Date(thursdayMs).getUTCFullYear();
  const week = Math.floor((thursdayMs - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1;
  return `${String(year)}-W${String(week).padStart(2, '0')}`;
}

/** The key of a row of `budget_spends`: the period, and of {@link EACH} the subject. No period has a space in it. */
export const spendKey = (periodKey: string, subject: string | null): string =>
  subject === null ? periodKey : `${periodKey} ${subject}`;
