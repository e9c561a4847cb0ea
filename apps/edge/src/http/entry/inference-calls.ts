import { GatewayError, type NewSpanId } from '@svc/kernel';
import { infoLines, type Logger } from '@svc/runtime/observability';
import { type Operation } from '@svc/protocol';
import { traceOf } from '../../call/call-trace';
import { elapsedMs, newCallFacts, type CallFacts, type InferenceCall } from '../../call/inference-call';
import { type CallMetrics } from '../../observability/call-metrics';
import { type InferencePipeline } from '../../pipeline/inference-pipeline';
import { type CallRefusals } from '../../refusals/call-refusals';
import { answerError } from './answer-error';
import { type ArrivedCall, type EntryRoute } from './entry';

interface InferenceCallsOptions {
  readonly pipeline: InferencePipeline;
  readonly metrics: CallMetrics;
  readonly refusals: Pick<CallRefusals, 'note'>;
  readonly newSpanId: NewSpanId;
  readonly logger: Logger;
}

interface LoggedCallsOptions extends InferenceCallsOptions {
  readonly logEnded: (facts: CallFacts) => void;
}

/** `/v1/v1/messages` is what Anthropic's SDK calls when its base URL ends with `/v1` (docs/reference/inference-and-compatibility.md). */
const paths: readonly (readonly [string, Operation])[] = [
  ['/v1/chat/completions', 'chat_completions'],
  ['/v1/messages', 'messages'],
  ['/v1/v1/messages', 'messages'],
  ['/v1/responses', 'responses'],
  ['/v1/embeddings', 'embeddings'],
];

const NO_TIME = { durationMs: 0, begunAfterMs: null } as const;

/** The routes of inference: through the pipeline, with one log line a call. */
export function inferenceCalls(options: InferenceCallsOptions): [string, EntryRoute][] {
  const logged = { ...options, logEnded: infoLines(options.logger, 'inference call') };
  return paths.map(([path, operation]) => [
    path,
    {
      operation,
      serve: (arrived) => serve(operation, arrived, logged),
      refused: ({ code }) => {
        options.metrics.observe(operation, { outcome: 'refused', error_code: code }, NO_TIME);
      },
    },
  ]);
}

async function serve(
  operation: Operation,
  { headers, origin, body, reply }: ArrivedCall,
  { pipeline, metrics, refusals, newSpanId, logger, logEnded }: LoggedCallsOptions,
): Promise<void> {
  const receivedAtMs = performance.now();
  const { requestId } = reply;
  const trace = traceOf(headers, newSpanId);
  const facts = newCallFacts(requestId, operation, trace);
  const call: InferenceCall = {
    requestId,
    operation,
    headers,
    origin,
    receivedAtMs,
    reply,
    trace,
    facts,
    readBody: (organizationId, beforeLarge) => body.read(organizationId, beforeLarge),
  };
  try {
    await pipeline.run(call);
  } catch (thrown) {
    const error = GatewayError.from(thrown);
    facts.outcome ??= 'refused';
    facts.error_code = error.code;
    noteRefusal(facts, error, refusals);
    if (!reply.begun) answerError(reply, error, logger);
    else await abortAnswer(call, error, logger);
  } finally {
    const durationMs = elapsedMs(call);
    metrics.observe(operation, facts, { durationMs, begunAfterMs: reply.begunAfterMs(receivedAtMs) });
    facts.duration_ms = Math.round(durationMs);
    logEnded(facts);
  }
}

/** A call that a provider was asked for has a record, and is no refusal. The authenticator notes those of keys. */
function noteRefusal(
  { outcome, organization_id: organizationId, project_id, api_key_id: apiKeyId, model }: CallFacts,
  error: GatewayError,
  refusals: Pick<CallRefusals, 'note'>,
): void {
  if (outcome !== 'refused' || organizationId === undefined || apiKeyId === undefined) return;
  refusals.note({ organizationId, projectId: project_id ?? null, apiKeyId }, model, error);
}

/** Handles an error after the head of the answer was sent. */
async function abortAnswer(
  { requestId, reply }: InferenceCall,
  error: GatewayError,
  logger: Logger,
): Promise<void> {
  logger.error({ request_id: requestId, err: error.cause ?? error }, 'stream failed');
  await reply.endWithError(error);
}
