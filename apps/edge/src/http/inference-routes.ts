import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import { errorEnvelope, GatewayError } from '@svc/kernel';
import { type Logger } from '@svc/platform';
import { streamErrorFrame, type Operation } from '@svc/protocol';
import { elapsedMs, newCallFacts, type InferenceCall } from '../pipeline/inference-call';
import { type CallMetrics } from '../observability/call-metrics';
import { type InferencePipeline } from '../pipeline/inference-pipeline';
import { ClientReply } from './client-reply';
import { type InFlight } from './in-flight';
import { readBody } from './read-body';

export interface InferenceRoutesOptions {
  readonly pipeline: InferencePipeline;
  readonly inFlight: InFlight;
  readonly metrics: CallMetrics;
  readonly logger: Logger;
}

/** `/v1/v1/messages` is what Anthropic's SDK calls when it is given `{base_url}/v1` (contract.md section 10). */
export const inferencePaths: ReadonlyMap<string, Operation> = new Map([
  ['/v1/chat/completions', 'chat_completions'],
  ['/v1/messages', 'messages'],
  ['/v1/v1/messages', 'messages'],
]);

/** Calls are served from the first hook of their route: the others are there to read a body, which waits until its caller is known. */
export function mountInferenceRoutes(server: FastifyInstance, options: InferenceRoutesOptions): void {
  for (const [path, operation] of inferencePaths) {
    const onRequest: onRequestHookHandler = (request, reply) => {
      void serve(operation, request, reply, options);
    };
    server.post(path, { onRequest, handler: neverReached });
  }
}

function neverReached(): never {
  throw new GatewayError('internal', 'The call went past the hook that serves it.');
}

/** Never rejects: whatever fails is told to the caller. */
async function serve(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { pipeline, inFlight, metrics, logger }: InferenceRoutesOptions,
): Promise<void> {
  const receivedAtMs = performance.now();
  // The header that Anthropic's SDK reads the id from.
  if (operation === 'messages') reply.header('request-id', request.id);
  const client = new ClientReply(reply);
  const facts = newCallFacts(request.id, operation);
  const call: InferenceCall = {
    requestId: request.id,
    operation,
    headers: request.headers,
    receivedAtMs,
    reply: client,
    facts,
    readBody: () => readBody(request.raw),
  };
  inFlight.begin(client);
  try {
    await pipeline.run(call);
  } catch (thrown) {
    const error = GatewayError.from(thrown);
    facts.outcome ??= 'refused';
    facts.error_code = error.code;
    if (!client.begun) void reply.send(error);
    else await breakOff(call, error, logger);
  } finally {
    inFlight.end(client);
    const durationMs = elapsedMs(call);
    metrics.observe(operation, facts, { durationMs, begunAfterMs: client.begunAfterMs(receivedAtMs) });
    facts.duration_ms = Math.round(durationMs);
    logger.info(facts, 'inference call');
  }
}

/** An error that comes when bytes of the answer are on their way. */
async function breakOff(
  { requestId, operation, reply }: InferenceCall,
  error: GatewayError,
  logger: Logger,
): Promise<void> {
  logger.error({ request_id: requestId, err: error.cause ?? error }, 'stream failed');
  await reply.write([streamErrorFrame(operation, errorEnvelope(error, requestId))]);
  reply.end();
}
