import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { type ModelEndpoint, type Provider } from '@svc/inference';
import { type CallRoute } from '@svc/protocol';
import { joined } from '../call/joined';
import { dialectOf } from './dialects';
import { type Header, type ProviderDialect } from './provider-dialect';
import { UpstreamCall, type UpstreamAnswer } from './upstream-call';
import { withCallHeaders } from './with-call-headers';

/** Bodies up to this size are sent in one piece; larger ones are streamed without a copy. */
const JOINED_BODY_BYTES_MAX = 256 * 1024;
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

interface ProviderConnection {
  readonly pool: Pool;
  readonly basePath: string;
  readonly dialect: ProviderDialect;
}

interface UpstreamTarget {
  readonly endpoint: ModelEndpoint;
  /** One that the endpoint's protocol has. */
  readonly route: CallRoute;
}

/** Calls providers: one pool of connections per origin, no pipelining, so that no call waits behind another. */
export class UpstreamClient {
  /** By origin: providers of one host share its connections. */
  private readonly pools = new Map<string, Pool>();
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
    const { pool, basePath, dialect } = this.connectionTo(provider);
    const path = dialect.paths[route];
    if (path === undefined) return Promise.reject(new TypeError(`${provider.name} has no ${route}.`));
    const call = new UpstreamCall(timeouts, disconnected);
    const answer = call.answer();
    const contentLength = String(byteLength(body));
    pool.dispatch(
      {
        method: 'POST',
        path: basePath + path,
        headers: [...headersFor(dialect, secret, callHeaders), 'content-length', contentLength],
        body: sendable(body),
        // UpstreamCall has its own timeouts.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      call,
    );
    return answer;
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  private connectionTo(provider: Provider): ProviderConnection {
    let connection = this.connections.get(provider);
    if (connection === undefined) {
      const { origin, pathname } = new URL(provider.baseUrl);
      const basePath = pathname.replace(/\/$/, '');
      connection = { pool: this.poolFor(origin), basePath, dialect: dialectOf(provider) };
      this.connections.set(provider, connection);
    }
    return connection;
  }

  private poolFor(origin: string): Pool {
    let pool = this.pools.get(origin);
    if (!pool) {
      pool = new Pool(origin, {
        pipelining: 1,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connect: { timeout: CONNECT_TIMEOUT_MS },
      });
      this.pools.set(origin, pool);
    }
    return pool;
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
