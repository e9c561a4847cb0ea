import { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import { type ModelEndpoint, type Provider } from '@svc/inference';
import { type Operation } from '@svc/protocol';
import { IdleWatch } from './idle-watch';

/** Bodies up to this size are sent in one piece; larger ones are not copied together. */
const JOINED_BODY_BYTES_MAX = 256 * 1024;
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

const paths: Readonly<Record<Operation, string>> = {
  chat_completions: '/chat/completions',
  messages: '/messages',
};

/** An upstream's answer, its head read and its body still coming. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Throws UpstreamTimeout when the upstream falls silent, or the connection's own error. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Calls providers: one pool of connections per origin, no pipelining, so that no call waits behind another. */
export class UpstreamClient {
  private readonly pools = new Map<string, Pool>();

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

  private async post(
    path: string,
    target: ModelEndpoint,
    secret: string | null,
    body: readonly Uint8Array[],
    left: AbortSignal,
  ): Promise<UpstreamAnswer> {
    const url = new URL(target.provider.baseUrl.replace(/\/$/, '') + path);
    const watch = new IdleWatch(target.timeouts, left);
    const options: Dispatcher.RequestOptions = {
      method: 'POST',
      path: url.pathname + url.search,
      headers: { ...headersFor(target.provider, secret), 'content-length': String(byteLength(body)) },
      body: joined(body),
      signal: watch.signal,
      // The watch times the answer: these would only guess at it a second time.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    try {
      const answer = await this.poolFor(url.origin).request(options);
      return { status: answer.statusCode, headers: answer.headers, body: watch.over(answer.body) };
    } catch (error) {
      watch.stop();
      throw watch.timeout ?? error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
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

function headersFor({ protocol }: Provider, secret: string | null): Record<string, string> {
  const common = { 'content-type': 'application/json', 'user-agent': 'svc' };
  if (protocol === 'anthropic') {
    return {
      ...common,
      'anthropic-version': '2023-06-01',
      ...(secret === null ? {} : { 'x-api-key': secret }),
    };
  }
  return { ...common, ...(secret === null ? {} : { authorization: `Bearer ${secret}` }) };
}

const operationOf = (provider: Provider): Operation =>
  provider.protocol === 'anthropic' ? 'messages' : 'chat_completions';

const byteLength = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((total, piece) => total + piece.byteLength, 0);

function joined(pieces: readonly Uint8Array[]): Buffer | Readable {
  return byteLength(pieces) <= JOINED_BODY_BYTES_MAX ? Buffer.concat(pieces) : Readable.from(pieces);
}
