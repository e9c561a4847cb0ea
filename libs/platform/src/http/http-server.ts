import { type Socket } from 'node:net';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { GatewayError } from '@svc/kernel';
import { systemIds } from '../system';
import { type Logger } from '../observability/logger';
import { errorAnswer, type RenderError } from './error-answer';

export interface HttpServerOptions {
  readonly logger: Logger;
  readonly renderError?: RenderError;
  /** How many proxies stand before it, whose `X-Forwarded-For` tells the client's address; none without it. */
  readonly proxies?: number;
}

const KEEP_ALIVE_MS = 72_000;

/**
 * The HTTP server that all services share: a request id on every answer, and the error envelope for whatever
 * is thrown (interface.md, Errors). It sets no limit on bodies (interface.md, Limits, rule 5).
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const server = fastify({
    trustProxy: (_address, hop) => hop < (options.proxies ?? 0),
    genReqId: () => systemIds('request'),
    bodyLimit: Number.MAX_SAFE_INTEGER,
    // Long answers stream for minutes: a slow call is no reason to cut it.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // A call that still comes on an open connection is served, and the connection closed: the framework's own refusal
    // would be no envelope.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    clientErrorHandler: (_error, socket) => {
      answerNoHttp(socket);
    },
    // A path that can't be decoded is an unknown one.
    frameworkErrors: (_error, request, reply) => {
      answer(unknownPath(), request as FastifyRequest, reply as FastifyReply, options);
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
    answer(asGatewayError(thrown), request, reply, options);
  });
  closeConnectionsAsTheyFallIdle(server);
  return server;
}

const IDLE_SWEEP_MS = 100;

/** A closing server lets go of what is idle then; a connection whose answer ends later would hold it up until its keep-alive runs out. */
function closeConnectionsAsTheyFallIdle(server: FastifyInstance): void {
  let sweep: NodeJS.Timeout | undefined;
  server.addHook('preClose', (done) => {
    sweep = setInterval(() => {
      server.server.closeIdleConnections();
    }, IDLE_SWEEP_MS);
    done();
  });
  server.addHook('onClose', (_, done) => {
    clearInterval(sweep);
    done();
  });
}

function answer(
  error: GatewayError,
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpServerOptions,
): void {
  const path = request.url.split('?', 1)[0] ?? '';
  const { status, headers, body } = errorAnswer(error, request.id, path, options.renderError);
  if (status >= 500)
    options.logger.error({ request_id: request.id, err: error.cause ?? error }, error.message);
  void reply.code(status).headers(headers).send(body);
}

/** Answers what could not be read as HTTP at all, so that no framework has a request for it. */
function answerNoHttp(socket: Socket): void {
  if (!socket.writable) return;
  const requestId = systemIds('request');
  const error = new GatewayError('invalidRequest', 'The connection carried no readable HTTP request.');
  const { headers, body } = errorAnswer(error, requestId, '');
  const length = String(Buffer.byteLength(body));
  const head = Object.entries({ ...headers, 'content-length': length, connection: 'close' });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}

const unknownPath = () => new GatewayError('notFound', 'There is nothing at this path.');

/** Fastify's own 4xx (an unreadable body, a wrong content type) are the caller's mistakes, not failures of ours. */
function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const status = (thrown as Partial<FastifyError> | undefined)?.statusCode ?? 500;
  if (status < 400 || status >= 500) return GatewayError.from(thrown);
  const message =
    status === 413 ? 'The body is larger than this route takes.' : 'The request could not be read.';
  return new GatewayError('invalidRequest', message, { cause: thrown });
}
