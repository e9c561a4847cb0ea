import { type IncomingMessage } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { GatewayError } from '@svc/kernel';
import { pathOf, serveDirectly } from '@svc/http';
import { type BuiltFiles } from './files/built-files';
import { fileAt } from './files/file-at';
import { sendFile } from './files/send-file';
import { securityHeaders } from './security-headers';

/** A file brings its own rule for caches; an error may not be kept. */
const headers = Object.entries({ ...securityHeaders, 'cache-control': 'no-store' });

/** Serves a built application below `path`: `/console`. */
export function serveApplication(server: FastifyInstance, path: `/${string}`, files: BuiltFiles): void {
  // Before the framework: it refuses some requests before any hook.
  serveDirectly(server, (incoming, outgoing) => {
    if (isBelow(path, incoming)) {
      for (const [name, value] of headers) outgoing.setHeader(name, value);
    }
    return false;
  });
  for (const route of [path, `${path}/*`]) {
    server.get<{ Params: { '*'?: string } }>(route, (call, reply) => {
      const file = fileAt(call.params['*'] ?? '', files);
      if (file === null) throw nothing();
      sendFile(call, reply, file);
    });
  }
}

export const nothing = () => new GatewayError('notFound', 'There is nothing at this path.');

/** Also where the path is written with escapes, which the router reads. */
function isBelow(path: string, incoming: IncomingMessage): boolean {
  const asked = pathOf(incoming);
  if (begins(asked, path)) return true;
  try {
    return asked.includes('%') && begins(decodeURIComponent(asked), path);
  } catch {
    return false;
  }
}

const begins = (asked: string, path: string): boolean => asked === path || asked.startsWith(`${path}/`);
