import { type FastifyInstance } from 'fastify';

/**
 * Keeps every answer of a path out of caches (RFC 6749 section 5.1). That includes answers to unreadable bodies, which
 * never reach a controller. Call it before the routes are mounted.
 */
export function keepOutOfCaches(server: FastifyInstance, path: string): void {
  server.addHook('onRoute', (route) => {
    if (route.url !== path) return;
    route.onRequest = (_, reply, done) => {
      void reply.header('cache-control', 'no-store');
      done();
    };
  });
}
