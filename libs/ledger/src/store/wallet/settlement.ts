import { type RecordedEvent } from '@svc/events';
import { type JsonValue, type Nanos, type NewId } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';
import { type CallExplanation } from './call-explanation';

export type FinalStatus = 'succeeded' | 'failed' | 'cancelled' | 'reconciliation_required';

/** How a call ended: what its record says from now on (docs/reference/money.md#request-records). */
export interface Settlement {
  readonly requestId: string;
  readonly organizationId: string;
  /** As of its hold. */
  readonly model: string;
  readonly status: FinalStatus;
  /** The cost of the call. Beyond its hold it is the platform's loss, not the customer's charge. */
  readonly charge: Nanos;
  /** The part of the organization's own account at the provider. Absent for nothing. */
  readonly providerCost?: Nanos;
  readonly costState: 'final' | 'provisional';
  readonly provider: string | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly attempts: readonly JsonValue[];
  /** Null when none was observed. */
  readonly usage: TokenUsage | null;
  readonly ttftMs: number | null;
  readonly durationMs: number | null;
  /** Absent where its record keeps none. */
  readonly explanation?: CallExplanation;
  /** Added to the outbox only if this settlement is the one that counts. */
  readonly events: readonly RecordedEvent[];
}

export type SettlementRow = ReturnType<typeof settlementRow>;

/**
 * As the SQL function `settle_calls` reads it. Every number that a provider can report fits: see {@link amountColumn}.
 */
export const settlementRow = (settlement: Settlement, newId: NewId) => ({
  request_id: settlement.requestId,
  organization_id: settlement.organizationId,
  status: settlement.status,
  charge_nanos: amountColumn(settlement.charge),
  // Most calls have none, and what is not sent is not parsed.
  provider_nanos: settlement.providerCost ? amountColumn(settlement.providerCost) : undefined,
  cost_state: settlement.costState,
  provider: settlement.provider,
  http_status: settlement.httpStatus,
  error_code: settlement.errorCode,
  attempts: settlement.attempts,
  input_tokens: countColumn(settlement.usage?.inputTokens),
  cached_input_tokens: countColumn(settlement.usage?.cachedInputTokens),
  cache_write_tokens: countColumn(settlement.usage?.cacheWriteTokens),
  output_tokens: countColumn(settlement.usage?.outputTokens),
  reasoning_tokens: countColumn(settlement.usage?.reasoningTokens),
  ttft_ms: settlement.ttftMs,
  duration_ms: settlement.durationMs,
  explanation: settlement.explanation,
  charge_id: newId('walletTransaction'),
  overrun_id: newId('walletTransaction'),
  events: settlement.events.map(({ id, type, organizationId, payload }) => ({
    id,
    type,
    organization_id: organizationId,
    payload,
  })),
});

/** The largest PostgreSQL integer. A greater count is stored as this; the charge is computed from the full count. */
const COUNT_MAX = 2 ** 31 - 1;
/** The largest integer that is exact in JSON: nine million dollars for a call. */
const AMOUNT_MAX = BigInt(Number.MAX_SAFE_INTEGER);

const countColumn = (count = 0): number => Math.min(count, COUNT_MAX);

const amountColumn = (amount: Nanos): string => String(amount > AMOUNT_MAX ? AMOUNT_MAX : amount);
