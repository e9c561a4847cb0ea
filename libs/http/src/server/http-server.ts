import { type Socket } from 'node:net';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { GatewayError, isTrustedProxy, type ErrorEnvelope, type TrustedProxies } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { type BodyTime, mountBodyTime, SHORT_BODY_TIME } from './body-time';
import { mountClientAddress } from './client-address';
import { errorAnswer } from './error-answer';
import { requireNoContentEncoding } from './content-encoding';
import { closeConnectionsOf, closeFreeConnectionsOf, FrontDoor, mountFrontDoor } from './front-door';
import { mountKnownPaths, type KnownPaths } from './known-paths';
import { pathOf } from './path-of';
import { headersForUnreadBody } from './unread-body';

export interface HttpServerOptions {
  readonly logger: Logger;
  /** Adapts the envelope to the protocol of a path. */
  readonly renderError?: (path: string, envelope: ErrorEnvelope) => object;
  /** Maps an unknown error to a GatewayError for the caller, or returns it unchanged. */
  readonly explainError?: (thrown: unknown) => unknown;
  /** The proxies whose `X-Forwarded-For` tells the client's address. Default 0: none. */
  readonly proxies?: TrustedProxies;
  /** Default: that of a short body. */
  readonly bodyTime?: BodyTime;
  /** True where users reach it by https: browsers are then told to come by nothing else. Default false. */
  readonly isHttps?: boolean;
}

const KEEP_ALIVE_MS = 72_000;
const BODY_MAX_BYTES = 1024 * 1024;

/**
 * On every answer but those of inference, unless its route says otherwise: no cache keeps it, and no browser takes it for
 * anything but what it is.
 */
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
/** A year. https://datatracker.ietf.org/doc/html/rfc6797 */
const HTTPS_HEADERS = { ...HEADERS, 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * The HTTP server that all services share: a request id on every answer, and the error envelope for whatever
 * is thrown (docs/reference/errors.md#the-envelope). A body has at most one MiB and two minutes, and nobody
 * reads that of an unknown path.
 * Inference has no limit (docs/reference/inference-and-compatibility.md#size): it reads its bodies itself (`serveDirectly`),
 * once it knows the caller.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const door = new FrontDoor();
  const headers = options.isHttps === true ? HTTPS_HEADERS : HEADERS;
  const { proxies = 0 } = options;
  const server = fastify({
    serverFactory: door.serverFor(KEEP_ALIVE_MS),
    trustProxy: (address, hop) => isTrustedProxy(proxies, address, hop),
    genReqId: () => systemIds('request'),
    bodyLimit: BODY_MAX_BYTES,
    forceCloseConnections: 'idle',
    // A call on an open connection is still served, and the connection closed: the framework's refusal has no error
    // envelope.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    clientErrorHandler: (_error, socket) => {
      answerMalformedRequest(socket);
    },
    // A path that cannot be decoded counts as unknown.
    frameworkErrors: (_error, request, reply) => {
      answer(unknownPath(), request as FastifyRequest, reply as FastifyReply, options);
      logUnknownPath(options.logger, request as FastifyRequest, { statusCode: 404, elapsedTime: 0 });
    },
  });
  // It would have any text in memory, which no route takes.
  server.removeContentTypeParser('text/plain');
  mountFrontDoor(server, door);
  mountClientAddress(server, proxies);
  const known = mountKnownPaths(server);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headers);
    requireNoContentEncoding(request.headers);
    done();
  });
  // Before the body is read, and after what other services add to every answer in `onRequest`.
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.is404) throw refusalOf(request, reply, known);
    done();
  });
  mountBodyTime(server, options.bodyTime ?? SHORT_BODY_TIME);
  server.setNotFoundHandler((request, reply) => {
    throw refusalOf(request, reply, known);
  });
  server.addHook('onResponse', (request, reply, done) => {
    if (request.is404) logUnknownPath(options.logger, request, reply);
    done();
  });
  server.setErrorHandler((thrown, request, reply) => {
    answer(asGatewayError(options.explainError?.(thrown) ?? thrown), request, reply, options);
  });
  closeConnectionsAsTheyFallIdle(server);
  return server;
}

const IDLE_SWEEP_MS = 100;

/**
 * A closing server closes only the connections idle at that time. Connections that become idle later would delay it
 * until their keep-alive ends, so they are closed periodically.
 */
function closeConnectionsAsTheyFallIdle(server: FastifyInstance): void {
  let sweep: NodeJS.Timeout | undefined;
  server.addHook('preClose', (done) => {
    closeConnectionsOf(server);
    sweep = setInterval(() => {
      closeFreeConnectionsOf(server);
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
  { logger, renderError = (_, envelope) => envelope }: HttpServerOptions,
): void {
  const { status, headers, body } = errorAnswer(error, request.id, (envelope) =>
    renderError(pathOf(request), envelope),
  );
  if (status >= 500) logger.error({ request_id: request.id, err: error.cause ?? error }, error.message);
  void reply
    .code(status)
    .headers({ ...headers, ...headersForUnreadBody(request.raw) })
    .send(body);
}

/** Answers bytes that are not HTTP, which never reach the framework. */
function answerMalformedRequest(socket: Socket): void {
  if (!socket.writable) return;
  const requestId = systemIds('request');
  const error = new GatewayError('invalidRequest', 'The connection carried no readable HTTP request.');
  const { headers, body } = errorAnswer(error, requestId);
  const length = String(Buffer.byteLength(body));
  const head = Object.entries({ ...headers, 'content-length': length, connection: 'close' });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}

/** Without the path, because a mistyped one may hold a secret. */
function logUnknownPath(
  logger: Logger,
  { id, method }: FastifyRequest,
  { statusCode: status, elapsedTime }: Pick<FastifyReply, 'statusCode' | 'elapsedTime'>,
): void {
  const duration_ms = Math.round(elapsedTime);
  logger.info({ request_id: id, method, route: null, status, duration_ms }, 'request');
}

/** No route takes the request: another method does (RFC 9110 section 15.5.6), or the path is unknown. */
function refusalOf(request: FastifyRequest, reply: FastifyReply, known: KnownPaths): GatewayError {
  const path = pathOf(request);
  const methods = known.methodsAt(path);
  if (methods.length === 0) return unknownPath(known.hintAt(path));
  const allowed = methods.join(', ');
  reply.header('allow', allowed);
  return new GatewayError('methodNotAllowed', `This path takes no ${request.method}. It takes ${allowed}.`);
}

function unknownPath(hint: string | null = null): GatewayError {
  const message = 'There is nothing at this path.';
  return new GatewayError('notFound', hint === null ? message : `${message} ${hint}`);
}

/** Fastify's 4xx (an unreadable body, a wrong content type) are mistakes of the caller, not failures of the service. */
function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const status = (thrown as Partial<FastifyError> | undefined)?.statusCode ?? 500;
  if (status < 400 || status >= 500) return GatewayError.from(thrown);
  const message =
    status === 413 ? 'The body is larger than this route takes.' : 'The request could not be read.';
  return new GatewayError('invalidRequest', message, { cause: thrown });
}
