import { type IncomingMessage } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { GatewayError } from '@svc/kernel';
import { pathOf, serveDirectly } from '@svc/platform';
import { type BuiltFiles } from './files/built-files';
import { fileAt } from './files/file-at';
import { sendFile } from './files/send-file';
import { securityHeaders } from './security-headers';

/** A file brings its own rule for caches; an error may not be kept. */
const headers = Object.entries({ ...securityHeaders, 'cache-control': 'no-store' });
const CONSOLE = /^\/console(\/|$)/;

/** Serves the built application below `/console`, and leads browsers from `/` to it. */
export function serveConsole(server: FastifyInstance, files: BuiltFiles): void {
  // Before the framework: it refuses some requests before any hook.
  serveDirectly(server, (incoming, outgoing) => {
    if (isConsole(incoming)) {
      for (const [name, value] of headers) outgoing.setHeader(name, value);
    }
    return false;
  });
  for (const route of ['/console', '/console/*']) {
    server.get<{ Params: { '*'?: string } }>(route, (call, reply) => {
      const file = fileAt(call.params['*'] ?? '', files);
      if (file === null) throw nothing();
      sendFile(call, reply, file);
    });
  }
  server.get('/', ({ headers: { accept = '' } }, reply) => {
    void reply.header('vary', 'Accept');
    if (!accept.includes('text/html')) throw nothing();
    return reply.redirect('/console/', 302);
  });
}

const nothing = () => new GatewayError('notFound', 'There is nothing at this path.');

/** Also where the path is written with escapes, which the router reads. */
function isConsole(incoming: IncomingMessage): boolean {
  const path = pathOf(incoming);
  if (CONSOLE.test(path)) return true;
  try {
    return path.includes('%') && CONSOLE.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
