import { type FastifyInstance } from 'fastify';
import { type Logger } from '../observability/logger';
import { knownCallerOf } from './callers/caller-guard';

const LOGGED = /^\/(api|auth|platform|\.well-known)\//;

/**
 * One line a request: the pattern of its route, never its path, query or body, which may hold secrets. Inference logs
 * its own calls, of which there is more to say.
 */
export function logRequests(server: FastifyInstance, logger: Logger): void {
  server.addHook('onResponse', (http, reply, done) => {
    const { url: route = '' } = http.routeOptions;
    if (LOGGED.test(route)) {
      const caller = knownCallerOf(http);
      logger.info(
        {
          request_id: http.id,
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
