import { type FastifyInstance } from 'fastify';

/** Bounds the bodies of the routes under a path more closely than the server does. Call it before they are mounted. */
export function limitBodies(server: FastifyInstance, path: `/${string}/`, maxBytes: number): void {
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith(path)) route.bodyLimit = maxBytes;
  });
}
