import { type FinishedCall } from '@svc/telemetry';
import { type CallTrace } from '../call/call-trace';
import { type InferenceCall } from '../call/inference-call';
import { type CallCharges } from '../call-minutes/call-sum';
import { type CallOutcome } from '../settlement/settle-call';

/** The facts of a call that has ended now, in milliseconds since 1970. */
export function finishedCallOf(
  outcome: CallOutcome,
  { customerNanos, providerNanos }: CallCharges,
  { operation, trace }: Pick<InferenceCall, 'operation' | 'trace'>,
  nowMs: number,
): FinishedCall {
  const { servedBy, usage, error } = outcome;
  return {
    requestId: outcome.requestId,
    organizationId: outcome.organizationId,
    projectId: outcome.projectId,
    apiKeyId: outcome.apiKeyId,
    operation,
    model: outcome.model,
    provider: servedBy?.provider.name ?? null,
    region: servedBy?.region ?? null,
    attempts: outcome.attempts.length,
    inputTokens: usage === null ? null : usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens,
    outputTokens: usage?.outputTokens ?? null,
    costNanos: customerNanos,
    providerNanos,
    status: outcome.status,
    errorCode: error?.code ?? null,
    startMs: nowMs - outcome.durationMs,
    endMs: nowMs,
    trace: trace === null ? null : placeOf(trace),
  };
}

const placeOf = ({ traceId, spanId, parentSpanId }: CallTrace) => ({ traceId, spanId, parentSpanId });
