import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { errorEnvelope, errorHeaders, GatewayError } from '@svc/kernel';
import { systemIds } from '../system';
import { type Logger } from '../observability/logger';

export interface HttpServerOptions {
  readonly logger: Logger;
  /** How an error reads on this path, where a protocol of its own asks for more than the envelope. */
  readonly renderError?: (path: string, envelope: ReturnType<typeof errorEnvelope>) => object;
}

/**
 * The HTTP server that all services share: a request id on every answer, and the error envelope for whatever
 * is thrown (interface.md, Errors). It sets no limit on bodies (interface.md, Limits, rule 5).
 */
export function createHttpServer({ logger, renderError }: HttpServerOptions): FastifyInstance {
  const server = fastify({
    genReqId: () => systemIds('request'),
    bodyLimit: Number.MAX_SAFE_INTEGER,
    // Long answers stream for minutes; only connections that sent nothing are cut by time.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 512 },
    // A path that can't be decoded is an unknown one.
    frameworkErrors: (_error, request, reply) => {
      void reply
        .headers({ 'x-request-id': request.id })
        .code(404)
        .send(errorEnvelope(unknownPath(), request.id));
    },
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  server.setNotFoundHandler(() => {
    throw unknownPath();
  });
  server.setErrorHandler((thrown, request, reply) => {
    const error = asGatewayError(thrown);
    if (error.definition.status >= 500) {
      logger.error({ request_id: request.id, err: error.cause ?? error }, 'request failed');
    }
    const path = request.url.split('?', 1)[0] ?? '';
    const envelope = errorEnvelope(error, request.id);
    void reply
      .code(error.definition.status)
      .headers(errorHeaders(error))
      .type('application/json')
      .send(JSON.stringify(renderError?.(path, envelope) ?? envelope));
  });
  return server;
}

const unknownPath = () => new GatewayError('notFound', 'There is nothing at this path.');

/** Fastify's own 4xx (an unreadable body, a wrong content type) are the caller's mistakes, not failures of ours. */
function asGatewayError(thrown: unknown): GatewayError {
  const status = (thrown as Partial<FastifyError> | undefined)?.statusCode;
  const isCallersFault = thrown instanceof Error && status !== undefined && status >= 400 && status < 500;
  return isCallersFault && !(thrown instanceof GatewayError)
    ? new GatewayError('invalidRequest', 'The request could not be read.', { cause: thrown })
    : GatewayError.from(thrown);
}
