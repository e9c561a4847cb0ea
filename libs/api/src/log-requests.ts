import { type FastifyInstance } from 'fastify';
import { readTraceContext } from '@svc/kernel';
import { type Logger } from '@svc/runtime/observability';
import { knownCallerOf } from './callers/caller-guard';

const LOGGED = /^\/(api|auth|platform|\.well-known|v1\/files)(\/|$)/;

/**
 * Logs one line per request, with the pattern of its route. The path, query and body are never logged, because they may
 * hold secrets. Inference logs its own calls, with more details.
 */
export function logRequests(server: FastifyInstance, logger: Logger): void {
  server.addHook('onResponse', (http, reply, done) => {
    const { url: route = '' } = http.routeOptions;
    if (LOGGED.test(route)) {
      const caller = knownCallerOf(http);
      const { traceparent } = http.headers;
      logger.info(
        {
          request_id: http.id,
          trace_id: typeof traceparent === 'string' ? readTraceContext(traceparent)?.traceId : undefined,
          method: http.method,
          route,
          status: reply.statusCode,
          duration_ms: Math.round(reply.elapsedTime),
          ...(caller && {
            organization_id: caller.organizationId,
            actor_type: caller.actor.type,
            actor_id: caller.actor.id,
          }),
        },
        'request',
      );
    }
    done();
  });
}
