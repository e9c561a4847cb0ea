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
