import { type Nanos } from '@svc/kernel';

/** Caps the spend of one scope over one period (interface.md, Budget; contract.md section 7). */
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

/** What of a call decides which budgets it is counted by. */
export interface BudgetedCall {
  readonly projectId: string | null;
  readonly apiKeyId: string;
  /** `Svc-Session-Id` (contract.md section 5). */
  readonly sessionId: string | null;
}

/** Whether the budget, one of the call's organization, counts the call at all. */
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
 * Names the period that a call of this moment belongs to: the UTC day (2026-11-20), the month (2026-11) or the
 * caller's session; null for a session budget and a call without one.
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
