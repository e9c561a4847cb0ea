import { type IncomingMessage } from 'node:http';

const SLASH = 0x2f;
/** Without a fragment: a request target has none. */
const ABSOLUTE = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)([^#]*)$/i;

/**
 * Turns a request target in absolute form (`GET http://host/path`), which some proxies and clients send, into the usual
 * one. Its host counts, not the header's (RFC 9112 section 3.2.2). Other targets stay as they are.
 */
export function useOriginForm(incoming: Pick<IncomingMessage, 'url' | 'headers'>): void {
  const { url = '' } = incoming;
  if (url.charCodeAt(0) === SLASH) return;
  const [, host, path = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return;
  incoming.headers.host = host;
  incoming.url = path.startsWith('/') ? path : `/${path}`;
}
