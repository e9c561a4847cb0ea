import { type IncomingMessage, request as httpRequest } from 'node:http';
import { type Socket } from 'node:net';
import { ACKNOWLEDGEMENT_TIMEOUT_MS, readWebhookUrl, type WebhookUrlPolicy } from '@svc/events';
import { AttemptFailure, exchangeFailure, type FailureCode } from './attempt-failure';
import { allowedAddresses, type ConnectionGuard, openConnection } from './guarded-connection';
import { excerptOf, readBeginning } from './response-excerpt';

export interface WebhookCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer as it came. */
interface ReceivedAnswer {
  readonly statusCode: number;
  /** The header; null for none. */
  readonly retryAfter: string | null;
  /** The beginning of the body. */
  readonly body: Buffer;
  /** Until the answer's head. */
  readonly durationMs: number;
}

/** That no answer came. */
interface MissingAnswer {
  readonly error: FailureCode;
  readonly durationMs: number;
}

/** The result of a call. Without an answer the status is null, and `error` says why. */
export interface WebhookAnswer {
  readonly statusCode: number | null;
  readonly error: FailureCode | null;
  readonly responseExcerpt: string | null;
  /** The header of the answer, as it came. */
  readonly retryAfter: string | null;
  /** Until the answer's head, or until the failure. */
  readonly durationMs: number;
}

export interface WebhookTransportOptions extends ConnectionGuard {
  readonly policy: WebhookUrlPolicy;
  readonly timeoutMs?: number;
}

const HEAD_BYTES_MAX = 16 * 1024;

/**
 * Sends webhooks: one connection a call, closed after it, to public addresses only
 * (docs/reference/webhooks.md#which-urls-are-taken). It uses `node:http` and no pooling client, because no connection is
 * reused, and because an unsolicited `100 Continue` must not break an answer (RFC 9110 section 15.2). Redirects are not
 * followed, bodies are not decompressed.
 */
export class WebhookTransport {
  constructor(private readonly options: WebhookTransportOptions) {}

  /** Never throws because of a receiver. @throws TypeError for a header that cannot be sent. */
  async post(call: WebhookCall): Promise<WebhookAnswer> {
    const answer = await this.exchange(call);
    const { durationMs } = answer;
    if ('error' in answer)
      return { statusCode: null, error: answer.error, durationMs, responseExcerpt: null, retryAfter: null };
    const { statusCode, body, retryAfter } = answer;
    const responseExcerpt = body.length === 0 ? null : excerptOf(body);
    return { statusCode, error: null, durationMs, responseExcerpt, retryAfter };
  }

  /** Like {@link post}, for callers that read the answer. */
  async exchange(call: WebhookCall): Promise<ReceivedAnswer | MissingAnswer> {
    const startedAtMs = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAtMs);
    let socket: Socket | undefined;
    // Starts at the first connect: name resolution has its own time-out.
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
      const { statusCode = 0, headers } = answer;
      const head = { statusCode, retryAfter: headers['retry-after'] ?? null, durationMs: durationMs() };
      return { ...head, body: await readBeginning(answer) };
    } catch (failure) {
      if (!(failure instanceof AttemptFailure)) throw failure;
      const error = deadline.signal.aborted ? 'timeout' : failure.code;
      return { error, durationMs: durationMs() };
    } finally {
      clearTimeout(timer);
      socket?.destroy();
    }
  }

  /** Checked at each call: the policy may have changed since the URL was written. */
  private allowedUrl(text: string): URL {
    const read = readWebhookUrl(text, this.options.policy);
    if ('problem' in read) throw new AttemptFailure('blocked_address');
    return new URL(read.url);
  }
}

/** Rejects when the connection closes without an answer, also when the receiver switches protocols. */
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
