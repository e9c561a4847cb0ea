import { type Nanos } from '@svc/kernel';

/** Caps the spend of one scope over one period (docs/reference/limits-and-budgets.md#budgets). */
export interface Budget {
  readonly id: string;
  readonly name: string;
  readonly scope: 'organization' | 'project' | 'api_key';
  readonly scopeId: string;
  readonly period: 'day' | 'month' | 'session';
  readonly amount: Nanos;
  readonly action: 'warn' | 'block';
  readonly warnAtBps: number;
  readonly enabled: boolean;
}

/** The facts of a call that decide which budgets count it. */
interface BudgetedCall {
  readonly projectId: string | null;
  readonly apiKeyId: string;
  /** `Svc-Session-Id` (docs/reference/limits-and-budgets.md#sessions). */
  readonly sessionId: string | null;
}

/** Whether the budget counts the call. Both must belong to the same organization. The model of `budget_counts`. */
export function isInScope(budget: Budget, call: BudgetedCall): boolean {
  if (!budget.enabled || (budget.period === 'session' && call.sessionId === null)) return false;
  switch (budget.scope) {
    case 'organization':
      return true;
    case 'project':
      return budget.scopeId === call.projectId;
    case 'api_key':
      return budget.scopeId === call.apiKeyId;
  }
}

/**
 * The key of the current period: the UTC day (2026-11-20), the month (2026-11) or the caller's session. Null for a
 * session budget and a call without a session. The model of `budget_period_key`.
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
    case 'month':
      return timestamp.slice(0, 7);
    case 'session':
      return sessionId;
  }
}
