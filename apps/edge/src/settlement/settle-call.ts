import { recordEvent, type ReconciliationReason, type RecordedEvent } from '@svc/events';
import { costOf, type ModelEndpoint } from '@svc/inference';
import { type Clock, minNanos, type Nanos, nanosToJson, type NewId, ZERO_NANOS } from '@svc/kernel';
import { type LedgerStore } from '@svc/persistence';
import { type TokenUsage } from '@svc/protocol';
import { type ProviderAttempt } from '../dispatch/exchange';

/** How a call that was dispatched ended. */
export interface CallOutcome {
  readonly requestId: string;
  readonly organizationId: string;
  readonly model: string;
  readonly held: Nanos;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly attempts: readonly ProviderAttempt[];
  /** The endpoint that answered, or was answering when the caller left; null when none did: nothing is charged. */
  readonly servedBy: ModelEndpoint | null;
  /** Null when the provider answered without a word of what it used, and nothing was observed either. */
  readonly usage: TokenUsage | null;
  /** Whether `usage` is the provider's report of the whole answer, not what was observed of a part. */
  readonly usageIsFinal: boolean;
  readonly ttftMs: number | null;
  readonly durationMs: number;
}

/** The `svc` object of an answer (interface.md, Inference response additions). */
export interface SvcObject {
  readonly provider: string | null;
  readonly attempts: readonly ProviderAttempt[];
  readonly cost: { readonly customer_nanos: number; readonly state: 'final' | 'provisional' };
}

/** Books a call: charge and end of its hold, record and events, in one transaction. */
export class Settlement {
  constructor(
    private readonly ledger: LedgerStore,
    private readonly clock: Clock,
    private readonly newId: NewId,
  ) {}

  /**
   * Resolves when the books hold it: only then is the end of an answer given out.
   * @returns false when they hold otherwise: the call was given up as abandoned, at no charge.
   */
  settle(outcome: CallOutcome): Promise<boolean> {
    const { servedBy, usage, attempts } = outcome;
    const charge = chargeOf(outcome);
    const reason = reconciliationReason(outcome, charge);
    return this.ledger.settle({
      requestId: outcome.requestId,
      organizationId: outcome.organizationId,
      status: reason === 'usage_missing' ? 'reconciliation_required' : outcome.status,
      charge,
      costState: costStateOf(outcome),
      usage,
      provider: servedBy?.provider.name ?? null,
      attempts,
      httpStatus: outcome.httpStatus,
      errorCode: outcome.errorCode,
      ttftMs: outcome.ttftMs,
      durationMs: outcome.durationMs,
      events: reason === null ? [] : [this.reconciliationEvent(outcome, reason)],
    });
  }

  /** What the caller is told once the outcome is booked. */
  svcOf(outcome: CallOutcome): SvcObject {
    const { servedBy, attempts, held } = outcome;
    // What exceeds the hold is the platform's loss, not the customer's (contract.md section 11).
    const customerNanos = nanosToJson(minNanos(chargeOf(outcome), held));
    return {
      provider: servedBy?.provider.name ?? null,
      attempts,
      cost: { customer_nanos: customerNanos, state: costStateOf(outcome) },
    };
  }

  private reconciliationEvent(outcome: CallOutcome, reason: ReconciliationReason): RecordedEvent {
    const { requestId, organizationId, model, servedBy } = outcome;
    return recordEvent(
      this.newId('event'),
      'request.reconciliation_required',
      organizationId,
      this.clock.now(),
      { request_id: requestId, model, provider: servedBy?.provider.name ?? null, reason },
    );
  }
}

const chargeOf = ({ servedBy, usage }: CallOutcome): Nanos =>
  servedBy === null || usage === null ? ZERO_NANOS : costOf(usage, servedBy.prices);

const costStateOf = ({ servedBy, usageIsFinal }: CallOutcome): 'final' | 'provisional' =>
  servedBy === null || usageIsFinal ? 'final' : 'provisional';

function reconciliationReason(outcome: CallOutcome, charge: Nanos): ReconciliationReason | null {
  if (outcome.servedBy === null) return null;
  if (charge > outcome.held) return 'hold_exceeded';
  const isUnreported = outcome.usage === null || (outcome.status === 'succeeded' && !outcome.usageIsFinal);
  return isUnreported ? 'usage_missing' : null;
}
