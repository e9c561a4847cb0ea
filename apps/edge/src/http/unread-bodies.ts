import { type FastifyInstance } from 'fastify';

/** Mounts routes whose bodies stay unread until they are asked for: only for a caller that is known. */
export function withUnreadBodies(server: FastifyInstance, mount: (scope: FastifyInstance) => void): void {
  void server.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(null);
    });
    mount(scope);
    done();
  });
}
