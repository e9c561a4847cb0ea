import { type ModelEndpoint } from '@svc/catalog';
import { recordEvent, type ReconciliationReason, type RecordedEvent } from '@svc/events';
import {
  type Clock,
  type GatewayError,
  minNanos,
  nanosToJson,
  type NewId,
  subtractNanos,
  ZERO_NANOS,
} from '@svc/kernel';
import { callCost, type CallCost, NO_COST, type OrganizationPrices } from '@svc/ledger';
import { type LedgerStore } from '@svc/ledger/store';
import { type CallWarning, type CredentialSource } from '@svc/policy';
import { type TokenUsage } from '@svc/protocol';
import { type ReservedCall } from '../context/call-context';
import { shownAttempt, type ProviderAttempt, type ShownAttempt } from '../dispatch/exchange';
import { explainCall } from './explain-call';

/** How the delivery of an answer ended. */
export interface CallEnding {
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly httpStatus: number | null;
  /** Null for a call that was answered whole, or whose caller disconnected. */
  readonly error: GatewayError | null;
  readonly warnings: readonly CallWarning[];
  /** Null when the provider reported no usage, and none was observed. */
  readonly usage: TokenUsage | null;
  /**
   * `reported`: by the provider, of the whole answer. `estimated`: counted by the gateway, at an endpoint that reports
   * none. `observed`: of a part of an answer, or in place of a report that should have come.
   */
  readonly usageSource: 'reported' | 'estimated' | 'observed';
  readonly ttftMs: number | null;
}

/** How a call that was dispatched ended. */
export interface CallOutcome
  extends
    CallEnding,
    Pick<ReservedCall, 'organizationId' | 'projectId' | 'apiKeyId' | 'held' | 'budgetHeld' | 'rollouts'> {
  readonly requestId: string;
  readonly model: string;
  readonly cost: CallCost;
  /** By which it was held. */
  readonly prices: OrganizationPrices;
  /** True where the policy's retention lets the record keep the message of an error. */
  readonly keepsMessages: boolean;
  readonly attempts: readonly ProviderAttempt[];
  /** The endpoint that answered, or was answering when the caller disconnected; null when none did: nothing is charged. */
  readonly servedBy: ModelEndpoint | null;
  readonly durationMs: number;
}

/** The `svc` object of an answer (docs/reference/inference-and-compatibility.md#additions-to-an-answer). */
export interface SvcObject {
  /** Only where a rollout had another model answer than the call asked for. */
  readonly model?: string;
  readonly provider: string | null;
  readonly attempts: readonly ShownAttempt[];
  readonly cost: {
    readonly customer_nanos: number;
    /** Absent where the organization's own account pays nothing. */
    readonly provider_nanos?: number;
    readonly state: 'final' | 'provisional';
  };
}

/** Settles a call: charge, hold, record and events, in one transaction. */
export class Settlement {
  constructor(
    private readonly ledger: LedgerStore,
    private readonly clock: Clock,
    private readonly newId: NewId,
  ) {}

  /**
   * Resolves when the settlement is committed: only then may the end of the answer be sent.
   * @returns false when the worker closed the call as abandoned before, without a charge.
   */
  settle(outcome: CallOutcome): Promise<boolean> {
    const { servedBy, usage, attempts, cost } = outcome;
    const reason = reconciliationReason(outcome);
    return this.ledger.settle({
      requestId: outcome.requestId,
      organizationId: outcome.organizationId,
      model: outcome.model,
      status: reason === 'usage_missing' ? 'reconciliation_required' : outcome.status,
      charge: cost.charge,
      ...(cost.providerCost !== ZERO_NANOS && { providerCost: cost.providerCost }),
      costState: costStateOf(outcome),
      usage,
      provider: servedBy?.provider.name ?? null,
      attempts,
      httpStatus: outcome.httpStatus,
      errorCode: outcome.error?.code ?? null,
      ttftMs: outcome.ttftMs,
      durationMs: outcome.durationMs,
      explanation: explainCall(outcome),
      events: reason === null ? [] : [this.reconciliationEvent(outcome, reason)],
    });
  }

  /** For the caller, once the outcome is settled. */
  svcOf(outcome: CallOutcome): SvcObject {
    const { servedBy, attempts, held, rollouts, model } = outcome;
    // The platform pays what exceeds the hold, not the customer (docs/reference/money.md#more-than-the-hold).
    const { charge, providerCost } = outcome.cost;
    return {
      ...(rollouts.isOtherModel && { model }),
      provider: servedBy?.provider.name ?? null,
      attempts: attempts.map(shownAttempt),
      cost: {
        customer_nanos: nanosToJson(minNanos(charge, held)),
        ...(providerCost !== ZERO_NANOS && { provider_nanos: nanosToJson(providerCost) }),
        state: costStateOf(outcome),
      },
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

type PricedCall = Pick<
  CallOutcome,
  'servedBy' | 'usage' | 'usageSource' | 'held' | 'budgetHeld' | 'prices' | 'attempts'
>;

/** The cost of a call, by payer, however it ended. */
export function costOfCall(outcome: PricedCall): CallCost {
  const { servedBy, usage, usageSource, held, budgetHeld, prices } = outcome;
  if (servedBy === null || usage === null) return NO_COST;
  const cost = callCost(usage, servedBy.prices, prices, servingCredential(outcome));
  if (usageSource !== 'estimated') return cost;
  // The hold covers all that the provider was allowed: a count above it only shows that tokenizers differ.
  const charge = minNanos(cost.charge, held);
  return { charge, providerCost: minNanos(cost.providerCost, subtractNanos(budgetHeld, charge)) };
}

/** Whose credential the endpoint that answered was called with: its attempt is the last one. */
export const servingCredential = ({ attempts }: Pick<CallOutcome, 'attempts'>): CredentialSource =>
  attempts.at(-1)?.credential ?? 'none';

const costStateOf = ({ servedBy, usageSource }: CallOutcome): 'final' | 'provisional' =>
  servedBy === null || usageSource !== 'observed' ? 'final' : 'provisional';

function reconciliationReason(outcome: CallOutcome): ReconciliationReason | null {
  const { charge } = outcome.cost;
  if (outcome.servedBy === null) return null;
  if (charge > outcome.held) return 'hold_exceeded';
  const isUnreported =
    outcome.usage === null || (outcome.status === 'succeeded' && outcome.usageSource === 'observed');
  return isUnreported ? 'usage_missing' : null;
}
