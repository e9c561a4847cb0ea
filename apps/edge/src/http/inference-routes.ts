import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import { errorEnvelope, GatewayError } from '@svc/kernel';
import { type Logger } from '@svc/platform';
import { streamErrorFrame, type Operation } from '@svc/protocol';
import { type CallFacts, type InferenceCall } from '../pipeline/inference-call';
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
        const client = new ClientReply(reply);
        return options.inFlight.track(client, serve(operation, request, reply, client, options));
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

async function serve(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  client: ClientReply,
  { pipeline, metrics, logger }: InferenceRoutesOptions,
): Promise<FastifyReply> {
  const receivedAtMs = performance.now();
  const elapsedMs = (): number => performance.now() - receivedAtMs;
  const facts: CallFacts = {};
  const call: InferenceCall = {
    requestId: request.id,
    operation,
    headers: request.headers,
    elapsedMs,
    reply: client,
    facts,
    readBody: () => readBody(request.raw),
  };
  try {
    await pipeline.run(call);
  } catch (thrown) {
    const error = GatewayError.from(thrown);
    facts.outcome ??= 'refused';
    facts.error_code = error.code;
    if (!client.begun) throw thrown;
    logger.error({ request_id: request.id, err: error.cause ?? error }, 'stream failed');
    await client.write([streamErrorFrame(operation, errorEnvelope(error, request.id))]);
    client.end();
  } finally {
    const durationMs = elapsedMs();
    metrics.observe(operation, facts, { durationMs, begunAfterMs: client.begunAfterMs(receivedAtMs) });
    logger.info(
      { request_id: request.id, route: operation, ...facts, duration_ms: Math.round(durationMs) },
      'inference call',
    );
  }
  return reply;
}
