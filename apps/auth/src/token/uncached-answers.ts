import { type FastifyInstance } from 'fastify';

/**
 * Keeps every answer of a path out of caches (RFC 6749 section 5.1), also those to bodies that could not be read and
 * never reach a controller. For routes that are mounted after this.
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
