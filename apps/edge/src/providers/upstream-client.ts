import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { type ModelEndpoint, type Provider } from '@svc/inference';
import { type Operation } from '@svc/protocol';
import { joined } from '../delivery/joined';
import { UpstreamCall, type UpstreamAnswer } from './upstream-call';

/** Bodies up to this size are sent in one piece; larger ones are not copied together. */
const JOINED_BODY_BYTES_MAX = 256 * 1024;
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

const paths: Readonly<Record<Operation, string>> = {
  chat_completions: '/chat/completions',
  messages: '/messages',
};

interface Way {
  readonly pool: Pool;
  readonly basePath: string;
}

/** Calls providers: one pool of connections per origin, no pipelining, so that no call waits behind another. */
export class UpstreamClient {
  /** By origin: providers behind one host share its connections. */
  private readonly pools = new Map<string, Pool>();
  private readonly ways = new WeakMap<Provider, Way>();

  /**
   * @param secret the credential to call with; null where the provider is sent none.
   * @throws UpstreamTimeout before the first byte, or the connection's own error; when `left` is aborted, its reason.
   */
  call(
    target: ModelEndpoint,
    secret: string | null,
    body: readonly Uint8Array[],
    left: AbortSignal,
  ): Promise<UpstreamAnswer> {
    return this.post(paths[operationOf(target.provider)], target, secret, body, left);
  }

  /** Asks a provider of the messages protocol for a count. @throws as {@link call} does. */
  countTokens(
    target: ModelEndpoint,
    secret: string | null,
    body: readonly Uint8Array[],
    left: AbortSignal,
  ): Promise<UpstreamAnswer> {
    return this.post(`${paths.messages}/count_tokens`, target, secret, body, left);
  }

  private post(
    path: string,
    target: ModelEndpoint,
    secret: string | null,
    body: readonly Uint8Array[],
    left: AbortSignal,
  ): Promise<UpstreamAnswer> {
    if (left.aborted) return Promise.reject(left.reason as Error);
    const { provider, timeouts } = target;
    const { pool, basePath } = this.wayTo(provider);
    const call = new UpstreamCall(timeouts, left);
    const answer = call.answer();
    const contentLength = String(byteLength(body));
    pool.dispatch(
      {
        method: 'POST',
        path: basePath + path,
        headers: [...headersFor(provider, secret), 'content-length', contentLength],
        body: sendable(body),
        // The call times its answer itself: these would only guess at it a second time.
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

  private wayTo(provider: Provider): Way {
    let way = this.ways.get(provider);
    if (way === undefined) {
      const { origin, pathname } = new URL(provider.baseUrl);
      way = { pool: this.poolFor(origin), basePath: pathname.replace(/\/$/, '') };
      this.ways.set(provider, way);
    }
    return way;
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

/** Names and values in turn, as they go onto the connection. */
function headersFor({ protocol }: Provider, secret: string | null): string[] {
  const headers = ['content-type', 'application/json', 'user-agent', 'svc'];
  if (protocol === 'anthropic') headers.push('anthropic-version', '2023-06-01');
  if (secret === null) return headers;
  if (protocol === 'anthropic') headers.push('x-api-key', secret);
  else headers.push('authorization', `Bearer ${secret}`);
  return headers;
}

const operationOf = (provider: Provider): Operation =>
  provider.protocol === 'anthropic' ? 'messages' : 'chat_completions';

const byteLength = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((total, piece) => total + piece.byteLength, 0);

const sendable = (pieces: readonly Uint8Array[]): Uint8Array | Readable =>
  byteLength(pieces) <= JOINED_BODY_BYTES_MAX ? joined(pieces) : Readable.from(pieces);
