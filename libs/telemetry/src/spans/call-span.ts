import { createHash } from 'node:crypto';
import { type FinishedCall } from '../calls/finished-call';
import { type Span } from './span';

/** `gen_ai.operation.name`: the routes of generated text differ by protocol only. */
const operationName = ({ operation }: FinishedCall): 'chat' | 'embeddings' =>
  operation === 'embeddings' ? 'embeddings' : 'chat';

/**
 * The span of a call, under OpenTelemetry's names for generative AI
 * (https://github.com/open-telemetry/semantic-conventions-genai). A fact that is not known has no attribute.
 */
export function callSpan(call: FinishedCall): Span {
  return {
    name: `${operationName(call)} ${call.model}`,
    ...placeOf(call),
    startMs: call.startMs,
    endMs: Math.max(call.startMs, call.endMs),
    hasFailed: call.status === 'failed',
    attributes: known({
      'gen_ai.operation.name': operationName(call),
      'gen_ai.request.model': call.model,
      'gen_ai.provider.name': call.provider,
      'gen_ai.usage.input_tokens': call.inputTokens,
      'gen_ai.usage.output_tokens': call.outputTokens,
      'svc.request_id': call.requestId,
      'svc.organization_id': call.organizationId,
      'svc.project_id': call.projectId,
      'svc.api_key_id': call.apiKeyId,
      'svc.region': call.region,
      'svc.attempts': call.attempts,
      'svc.cost_nanos': call.costNanos,
      'svc.cost.provider_nanos': call.providerNanos === 0 ? null : call.providerNanos,
      'svc.error_code': call.errorCode,
    }),
  };
}

/**
 * A call continues its caller's trace. A call without one is a trace of its own, with ids made of its request id: so a
 * message that comes twice makes the same span twice.
 */
function placeOf({ trace, requestId }: FinishedCall): Pick<Span, 'traceId' | 'spanId' | 'parentSpanId'> {
  if (trace !== null) return trace;
  const digest = createHash('sha256').update(requestId).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48), parentSpanId: null };
}

function known(
  attributes: Readonly<Record<string, string | number | null>>,
): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(attributes).filter(
      (attribute): attribute is [string, string | number] => attribute[1] !== null,
    ),
  );
}
