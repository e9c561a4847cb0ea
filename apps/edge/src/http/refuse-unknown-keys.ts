import { type ServerResponse } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { type GatewayError } from '@svc/kernel';
import { beforeRouting, errorAnswer, systemIds } from '@svc/platform';
import { type Operation } from '@svc/protocol';
import { type CallMetrics } from '../observability/call-metrics';
import { type Authenticator } from '../pipeline/authenticate';
import { inferencePaths } from './inference-routes';
import { renderRouteError } from './render-route-error';

const NO_TIME = { durationMs: 0, begunAfterMs: null } as const;

/**
 * Refuses calls with keys that are nobody's before anything is made ready for them: a flood of bad keys costs little more
 * than its reading, and the lookup of those that come for the first time. It fills no log either.
 */
export function refuseUnknownKeys(
  server: FastifyInstance,
  authenticator: Pick<Authenticator, 'earlyRefusal'>,
  metrics: CallMetrics,
): void {
  beforeRouting(server, ({ method, url = '', headers }, outgoing) => {
    const operation = inferencePaths.get(url);
    if (operation === undefined || method !== 'POST') return false;
    const answer = (refusal: GatewayError | null): boolean => {
      if (refusal === null) return false;
      metrics.observe(operation, { outcome: 'refused', error_code: refusal.code }, NO_TIME);
      refuse(outgoing, refusal, operation, url);
      return true;
    };
    const refusal = authenticator.earlyRefusal(headers);
    return refusal instanceof Promise ? refusal.then(answer) : answer(refusal);
  });
}

function refuse(outgoing: ServerResponse, refusal: GatewayError, operation: Operation, path: string): void {
  const requestId = systemIds('request');
  const { status, headers, body } = errorAnswer(refusal, requestId, path, renderRouteError);
  const head = Object.entries(headers).flat();
  if (operation === 'messages') head.push('request-id', requestId);
  head.push('content-length', String(Buffer.byteLength(body)));
  outgoing.writeHead(status, head).end(body);
}
