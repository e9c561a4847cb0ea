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
import { type Authenticator } from '../pipeline/authenticate';
import { type InferencePipeline } from '../pipeline/inference-pipeline';
import { ClientReply } from './client-reply';
import { type InFlight } from './in-flight';
import { readBody } from './read-body';
import { withUnreadBodies } from './unread-bodies';

export interface InferenceRoutesOptions {
  readonly authenticator: Pick<Authenticator, 'standingRefusal'>;
  readonly pipeline: InferencePipeline;
  readonly inFlight: InFlight;
  readonly metrics: CallMetrics;
  readonly logger: Logger;
}

/** `/v1/v1/messages` is what Anthropic's SDK calls when it is given `{base_url}/v1` (contract.md section 10). */
const routes: readonly { readonly path: string; readonly operation: Operation }[] = [
  { path: '/v1/chat/completions', operation: 'chat_completions' },
  { path: '/v1/messages', operation: 'messages' },
  { path: '/v1/v1/messages', operation: 'messages' },
];

export function mountInferenceRoutes(server: FastifyInstance, options: InferenceRoutesOptions): void {
  withUnreadBodies(server, (scope) => {
    for (const { path, operation } of routes) {
      scope.post(path, { onRequest: refuseUnknownKeys(operation, options) }, (request, reply) => {
        void serve(operation, request, reply, options);
      });
    }
  });
}

/** Before anything is made ready for a call: a flood of bad keys costs little more than its reading. It fills no log either. */
function refuseUnknownKeys(
  operation: Operation,
  { authenticator, metrics }: InferenceRoutesOptions,
): onRequestHookHandler {
  return (request, reply, done) => {
    // The header that Anthropic's SDK reads the id from.
    if (operation === 'messages') reply.header('request-id', request.id);
    const refusal = authenticator.standingRefusal(request.headers);
    if (refusal === null) {
      done();
      return;
    }
    metrics.observe(
      operation,
      { outcome: 'refused', error_code: refusal.code },
      { durationMs: 0, begunAfterMs: null },
    );
    done(refusal);
  };
}

/** Never rejects: whatever fails is told to the caller. */
async function serve(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { pipeline, inFlight, metrics, logger }: InferenceRoutesOptions,
): Promise<void> {
  const receivedAtMs = performance.now();
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
