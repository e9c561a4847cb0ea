/**
 * What each event says: identifiers, usage and state, never content (interface.md, Events). A field that could
 * carry a prompt or an output has no place in these types.
 */
export interface EventData {
  readonly 'wallet.credit_granted': {
    readonly credit_grant_id: string;
    readonly amount_nanos: number;
    readonly balance_nanos: number;
  };
  readonly 'credential.auth_failed': {
    readonly credential_id: string;
    readonly provider: string;
  };
  /** Spend reached the budget's `warn_at_bps`: once a period. */
  readonly 'budget.threshold_crossed': {
    readonly budget_id: string;
    readonly name: string;
    readonly scope: 'organization' | 'project' | 'api_key';
    readonly scope_id: string;
    readonly period: 'day' | 'month' | 'session';
    /** The UTC day (2026-11-20), the month (2026-11) or the caller's session id. */
    readonly period_key: string;
    readonly amount_nanos: number;
    readonly spent_nanos: number;
    readonly warn_at_bps: number;
    readonly action: 'warn' | 'block';
  };
  /** Spend reached the amount, or a blocking budget refused a call: once a period. */
  readonly 'budget.exceeded': EventData['budget.threshold_crossed'];
  readonly 'request.reconciliation_required': {
    readonly request_id: string;
    readonly model: string;
    readonly provider: string | null;
    readonly reason: ReconciliationReason;
  };
}

export type EventType = keyof EventData;

/** Why a request's usage could not be finalised. */
export type ReconciliationReason =
  /** The process that ran the call died before it was settled. */
  | 'worker_lost'
  /** The provider answered without saying what it used. */
  | 'usage_missing'
  /** The provider reported more than the limit it had been told. */
  | 'hold_exceeded';
