import { type IncomingMessage, request as httpRequest } from 'node:http';
import { type Socket } from 'node:net';
import { ACKNOWLEDGEMENT_TIMEOUT_MS, readWebhookUrl, type WebhookUrlPolicy } from '@svc/events';
import { AttemptFailure, exchangeFailure, type FailureCode } from './attempt-failure';
import { allowedAddresses, type ConnectionGuard, openConnection } from './guarded-connection';
import { readExcerpt } from './response-excerpt';

export interface WebhookCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a receiver did. Without an answer the status is null, and the error says why. */
export interface WebhookAnswer {
  readonly statusCode: number | null;
  readonly error: FailureCode | null;
  readonly responseExcerpt: string | null;
  /** Until the answer's head, or until there was to be none. */
  readonly durationMs: number;
}

export interface WebhookTransportOptions extends ConnectionGuard {
  readonly policy: WebhookUrlPolicy;
  readonly timeoutMs?: number;
}

const HEAD_BYTES_MAX = 16 * 1024;

/**
 * The only way out: one connection a call, closed after it, to a public address and nowhere else (contract.md section 8).
 * It is `node:http` and no client that pools connections, because nothing here is to be reused, and because an unasked
 * `100 Continue` must not break an answer (RFC 9110 section 15.2). Redirects are not followed, nothing is decompressed.
 */
export class WebhookTransport {
  constructor(private readonly options: WebhookTransportOptions) {}

  /** Never throws over what a receiver does. @throws TypeError for a header that can't be sent. */
  async post(call: WebhookCall): Promise<WebhookAnswer> {
    const startedAtMs = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAtMs);
    let socket: Socket | undefined;
    // Counted from the first connect: names have a bound of their own.
    const deadline = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      const url = this.allowedUrl(call.url);
      const addresses = await allowedAddresses(url.hostname, this.options);
      timer = setTimeout(() => {
        deadline.abort();
      }, this.options.timeoutMs ?? ACKNOWLEDGEMENT_TIMEOUT_MS);
      socket = await openConnection(url, addresses, this.options, deadline.signal);
      const answer = await answerTo(call, url, socket, deadline.signal);
      const answered = { statusCode: answer.statusCode ?? null, error: null, durationMs: durationMs() };
      return { ...answered, responseExcerpt: await readExcerpt(answer) };
    } catch (failure) {
      if (!(failure instanceof AttemptFailure)) throw failure;
      const error = deadline.signal.aborted ? 'timeout' : failure.code;
      return { statusCode: null, error, durationMs: durationMs(), responseExcerpt: null };
    } finally {
      clearTimeout(timer);
      socket?.destroy();
    }
  }

  /** Judged anew at each call: what may be called can have changed since the URL was written. */
  private allowedUrl(text: string): URL {
    const read = readWebhookUrl(text, this.options.policy);
    if ('problem' in read) throw new AttemptFailure('blocked_address');
    return new URL(read.url);
  }
}

/** Whatever ends the exchange without an answer, a protocol that is switched to included, closes it. */
function answerTo(
  { headers, body }: WebhookCall,
  url: URL,
  socket: Socket,
  deadline: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      method: 'POST',
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers, 'content-length': String(body.length), connection: 'close' },
      createConnection: () => socket,
      maxHeaderSize: HEAD_BYTES_MAX,
      signal: deadline,
    });
    const onClose = (): void => {
      reject(new AttemptFailure('connection_closed'));
    };
    outgoing.once('close', onClose);
    outgoing.once('response', (answer) => {
      outgoing.off('close', onClose);
      resolve(answer);
    });
    outgoing.on('error', (error) => {
      reject(exchangeFailure(error));
    });
    outgoing.end(body);
  });
}
