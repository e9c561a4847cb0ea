import { type FastifyInstance } from 'fastify';
import { type BuiltFiles } from './files/built-files';
import { nothing, serveApplication } from './serve-application';

/** Serves the console below `/console`, and leads browsers from `/` to it. */
export function serveConsole(server: FastifyInstance, files: BuiltFiles): void {
  serveApplication(server, '/console', files);
  server.get('/', ({ headers: { accept = '' } }, reply) => {
    void reply.header('vary', 'Accept');
    if (!accept.includes('text/html')) throw nothing();
    return reply.redirect('/console/', 302);
  });
}
