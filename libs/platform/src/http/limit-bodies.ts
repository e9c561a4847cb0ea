import { type FastifyInstance } from 'fastify';

/**
 * Bounds the bodies of the routes under a path. Call it before they are mounted. The server has no limit, because
 * inference has none. On public forms, unlimited bodies could fill the memory.
 */
export function limitBodies(server: FastifyInstance, path: `/${string}/`, maxBytes: number): void {
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith(path)) route.bodyLimit = maxBytes;
  });
}
