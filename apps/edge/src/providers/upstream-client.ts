import { Readable } from 'node:stream';
import { type ModelEndpoint, type Provider } from '@svc/catalog';
import { type CallRoute } from '@svc/protocol';
import { joined } from '../call/joined';
import { dialectOf } from './dialects';
import { type Header, type ProviderDialect } from './provider-dialect';
import { UpstreamCall, type UpstreamAnswer } from './upstream-call';
import { UpstreamOrigin } from './upstream-origin';
import { withCallHeaders } from './with-call-headers';

/** Bodies up to this size are sent in one piece; larger ones are streamed without a copy. */
const JOINED_BODY_BYTES_MAX = 256 * 1024;

interface ProviderConnection {
  readonly origin: UpstreamOrigin;
  readonly basePath: string;
  readonly dialect: ProviderDialect;
}

interface UpstreamTarget {
  readonly endpoint: ModelEndpoint;
  /** One that the endpoint's protocol has. */
  readonly route: CallRoute;
}

/** Calls providers: one pool of connections per origin. */
export class UpstreamClient {
  /** By origin: providers of one host share its connections. */
  private readonly origins = new Map<string, UpstreamOrigin>();
  private readonly connections = new WeakMap<Provider, ProviderConnection>();

  /**
   * @param secret the credential to call with; null to send none.
   * @param callHeaders sent with this call only; names in lower case.
   * @throws UpstreamTimeout before the first byte, or the connection's own error; when `disconnected` is aborted, its
   * reason; TypeError when the protocol has no such route.
   */
  call(
    { endpoint, route }: UpstreamTarget,
    secret: string | null,
    body: readonly Uint8Array[],
    disconnected: AbortSignal,
    callHeaders: readonly Header[] = [],
  ): Promise<UpstreamAnswer> {
    if (disconnected.aborted) return Promise.reject(disconnected.reason as Error);
    const { provider, timeouts } = endpoint;
    const { origin, basePath, dialect } = this.connectionTo(provider);
    const path = dialect.paths[route];
    if (path === undefined) return Promise.reject(new TypeError(`${provider.name} has no ${route}.`));
    const contentLength = String(byteLength(body));
    return origin.send({
      options: () => ({
        method: 'POST',
        path: basePath + path,
        headers: [...headersFor(dialect, secret, callHeaders), 'content-length', contentLength],
        body: sendable(body),
        // UpstreamCall has its own timeouts.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
      newCall: () => new UpstreamCall(timeouts, disconnected),
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.origins.values()].map((origin) => origin.close()));
  }

  private connectionTo(provider: Provider): ProviderConnection {
    let connection = this.connections.get(provider);
    if (connection === undefined) {
      const { origin, pathname } = new URL(provider.baseUrl);
      const basePath = pathname.replace(/\/$/, '');
      connection = { origin: this.originOf(origin), basePath, dialect: dialectOf(provider) };
      this.connections.set(provider, connection);
    }
    return connection;
  }

  private originOf(url: string): UpstreamOrigin {
    let origin = this.origins.get(url);
    if (!origin) this.origins.set(url, (origin = new UpstreamOrigin(url)));
    return origin;
  }
}

/** Names and values in alternation, as undici takes them. */
function headersFor(
  dialect: ProviderDialect,
  secret: string | null,
  callHeaders: readonly Header[],
): string[] {
  const list = ['content-type', 'application/json', 'user-agent', 'svc'];
  for (const header of withCallHeaders(dialect, callHeaders)) list.push(...header);
  if (secret !== null) list.push(dialect.credentialHeader, dialect.credentialPrefix + secret);
  return list;
}

const byteLength = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((total, piece) => total + piece.byteLength, 0);

const sendable = (pieces: readonly Uint8Array[]): Uint8Array | Readable =>
  byteLength(pieces) <= JOINED_BODY_BYTES_MAX ? joined(pieces) : Readable.from(pieces);
