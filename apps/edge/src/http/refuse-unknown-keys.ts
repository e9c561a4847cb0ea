import { type FastifyInstance } from 'fastify';
import { beforeRouting, errorAnswer, systemIds } from '@svc/platform';
import { type CallMetrics } from '../observability/call-metrics';
import { type Authenticator } from '../pipeline/authenticate';
import { inferencePaths } from './inference-routes';
import { renderRouteError } from './render-route-error';

const NO_TIME = { durationMs: 0, begunAfterMs: null } as const;

/**
 * Refuses calls with a key that was found to be nobody's a moment ago, before anything is made ready for them: a flood of
 * bad keys costs little more than its reading. It fills no log either.
 */
export function refuseUnknownKeys(
  server: FastifyInstance,
  authenticator: Pick<Authenticator, 'standingRefusal'>,
  metrics: CallMetrics,
): void {
  beforeRouting(server, ({ method, url = '', headers: received }, outgoing) => {
    const operation = inferencePaths.get(url);
    if (operation === undefined || method !== 'POST') return false;
    const refusal = authenticator.standingRefusal(received);
    if (refusal === null) return false;
    metrics.observe(operation, { outcome: 'refused', error_code: refusal.code }, NO_TIME);
    const requestId = systemIds('request');
    const { status, headers, body } = errorAnswer(refusal, requestId, url, renderRouteError);
    const head = Object.entries(headers).flat();
    if (operation === 'messages') head.push('request-id', requestId);
    head.push('content-length', String(Buffer.byteLength(body)));
    outgoing.writeHead(status, head).end(body);
    return true;
  });
}
