import { type FastifyInstance } from 'fastify';

/**
 * Bounds the bodies of the routes under a path, as far as they are mounted after this. The server itself takes any
 * size, for inference; where anybody may send a form, that would be a way to fill the memory.
 */
export function limitBodies(server: FastifyInstance, path: `/${string}/`, maxBytes: number): void {
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith(path)) route.bodyLimit = maxBytes;
  });
}
