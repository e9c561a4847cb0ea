import { type RecordedEvent } from '@svc/events';
import { type JsonValue, type Nanos, type NewId } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';

export type FinalStatus = 'succeeded' | 'failed' | 'cancelled' | 'reconciliation_required';

/** How a call ended: what its record says from now on (contract.md section 7, requests). */
export interface Settlement {
  readonly requestId: string;
  readonly organizationId: string;
  readonly status: FinalStatus;
  /** What the call cost. Beyond its hold it is the platform's loss, not the customer's charge. */
  readonly charge: Nanos;
  readonly costState: 'final' | 'provisional';
  readonly provider: string | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly attempts: readonly JsonValue[];
  /** Null when none was observed. */
  readonly usage: TokenUsage | null;
  readonly ttftMs: number | null;
  readonly durationMs: number | null;
  /** Go to the outbox if, and only if, this settlement is the one that counts. */
  readonly events: readonly RecordedEvent[];
}

export type SettlementRow = ReturnType<typeof settlementRow>;

/** As the SQL function `settle_requests` reads it. */
export const settlementRow = (settlement: Settlement, newId: NewId) => ({
  request_id: settlement.requestId,
  organization_id: settlement.organizationId,
  status: settlement.status,
  charge_nanos: String(settlement.charge),
  cost_state: settlement.costState,
  provider: settlement.provider,
  http_status: settlement.httpStatus,
  error_code: settlement.errorCode,
  attempts: settlement.attempts,
  input_tokens: settlement.usage?.inputTokens ?? 0,
  cached_input_tokens: settlement.usage?.cachedInputTokens ?? 0,
  cache_write_tokens: settlement.usage?.cacheWriteTokens ?? 0,
  output_tokens: settlement.usage?.outputTokens ?? 0,
  reasoning_tokens: settlement.usage?.reasoningTokens ?? 0,
  ttft_ms: settlement.ttftMs,
  duration_ms: settlement.durationMs,
  charge_id: newId('walletTransaction'),
  overrun_id: newId('walletTransaction'),
  events: settlement.events.map(({ id, type, organizationId, payload }) => ({
    id,
    type,
    organization_id: organizationId,
    payload,
  })),
});
