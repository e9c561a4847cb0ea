import { type ServerResponse } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { GatewayError } from '@svc/kernel';
import { beforeRouting, errorAnswer, systemIds } from '@svc/platform';
import { type Operation } from '@svc/protocol';
import { type CallMetrics } from '../observability/call-metrics';
import { type Authenticator } from '../pipeline/authenticate';
import { inferencePaths } from './inference-routes';
import { renderRouteError } from './render-route-error';

/** Stands where an answer's own id is to be: all ids are of one length. */
const ID_OF_NONE = systemIds('request');
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
  const answers = new Map<string, FloodAnswer>();
  const refuse = (
    refusal: GatewayError,
    operation: Operation,
    path: string,
    outgoing: ServerResponse,
  ): true => {
    metrics.observe(operation, { outcome: 'refused', error_code: refusal.code }, NO_TIME);
    const answer = answers.get(path) ?? new FloodAnswer(refusal, operation, path);
    answers.set(path, answer);
    answer.send(outgoing, systemIds('request'));
    return true;
  };
  beforeRouting(server, ({ method, url = '', headers }, outgoing) => {
    const operation = inferencePaths.get(url);
    if (operation === undefined || method !== 'POST') return false;
    const refusal = authenticator.earlyRefusal(headers);
    if (refusal === null) return false;
    if (refusal instanceof GatewayError) return refuse(refusal, operation, url, outgoing);
    return refusal.then((late) => late !== null && refuse(late, operation, url, outgoing));
  });
}

/** One for all of a flood, rendered once: only its id differs. */
class FloodAnswer {
  private readonly status: number;
  private readonly head: readonly string[];
  private readonly bodyAroundIds: readonly string[];

  constructor(refusal: GatewayError, operation: Operation, path: string) {
    const { status, headers, body } = errorAnswer(refusal, ID_OF_NONE, path, renderRouteError);
    const idHeader = operation === 'messages' ? { 'request-id': ID_OF_NONE } : {};
    const length = String(Buffer.byteLength(body));
    this.status = status;
    this.head = Object.entries({ ...headers, ...idHeader, 'content-length': length }).flat();
    this.bodyAroundIds = body.split(ID_OF_NONE);
  }

  send(outgoing: ServerResponse, requestId: string): void {
    const head = this.head.map((text) => (text === ID_OF_NONE ? requestId : text));
    outgoing.writeHead(this.status, head).end(this.bodyAroundIds.join(requestId));
  }
}
