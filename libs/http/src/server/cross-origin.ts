import { type IncomingMessage, type ServerResponse } from 'node:http';
import { systemIds } from '@svc/runtime';
import { type FastifyInstance } from 'fastify';
import { serveDirectly } from './front-door';
import { knownPathsOf } from './known-paths';
import { pathOf } from './path-of';

const EXPOSED = [
  'X-Request-Id',
  'request-id',
  'Retry-After',
  'retry-after-ms',
  'x-should-retry',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Scope',
  'Svc-Budget-Warning',
].join(', ');

const ALLOWED = [
  'authorization',
  'x-api-key',
  'content-type',
  // Pages may set it in Firefox and Safari, and Anthropic's SDK does.
  'user-agent',
  'idempotency-key',
  'anthropic-version',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
  'compat-project',
  'compat-organization',
  'openai-project',
  'openai-organization',
  'x-svc-project',
  'svc-session-id',
  'svc-end-user',
  'traceparent',
  'tracestate',
];

/** Headers by which SDKs name themselves. New versions add to it. */
const SDK_HEADER = /^x-stainless-[a-z0-9-]{1,64}$/;

const PREFLIGHT_SECONDS = '7200';

/**
 * Lets pages of any origin call `/v1` with an API key (docs/reference/inference-and-compatibility.md#browsers). Cookies
 * open nothing there, so that no page can act for who visits it. A call without `Origin` is left as it is.
 */
export function allowCrossOrigin(server: FastifyInstance): void {
  serveDirectly(server, (incoming, outgoing) => {
    const isOptions = incoming.method === 'OPTIONS';
    if (!isOptions && incoming.headers.origin === undefined) return false;
    if (!incoming.url?.startsWith('/v1/')) return false;
    outgoing.setHeader('access-control-allow-origin', '*');
    outgoing.setHeader('access-control-expose-headers', EXPOSED);
    return isOptions && answerOptions(knownPathsOf(server).methodsAt(pathOf(incoming)), incoming, outgoing);
  });
}

/** @returns false for an unknown path. */
function answerOptions(
  methods: readonly string[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): boolean {
  if (methods.length === 0) return false;
  const allowed = [...methods, 'OPTIONS'].join(', ');
  outgoing.writeHead(204, {
    'x-request-id': systemIds('request'),
    allow: allowed,
    'access-control-allow-methods': allowed,
    'access-control-allow-headers': [...ALLOWED, ...sdkHeaders(incoming)].join(', '),
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'Access-Control-Request-Headers',
  });
  outgoing.end();
  return true;
}

function sdkHeaders({ headers }: IncomingMessage): readonly string[] {
  const asked = headers['access-control-request-headers'] ?? '';
  const names = asked.split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => SDK_HEADER.test(name));
}
