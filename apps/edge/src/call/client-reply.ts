import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { errorEnvelope, type GatewayError } from '@svc/kernel';
import { errorAnswer, headersForUnreadBody } from '@svc/http';
import { renderError, streamErrorFrame, type Operation } from '@svc/protocol';
import { joined } from './joined';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

/**
 * A caller that reads nothing for this long counts as disconnected: it must not keep its hold and its provider for ever.
 * The time suffices for a client paused in a debugger.
 */
const STALL_MS = 300_000;

/** A stream that numbers its events. */
interface NumberedEvents {
  nextSequenceNumber(): number;
}

/** Writes the answer to the caller, and detects its disconnection. Every head of an answer is written here. */
export class ClientReply {
  private readonly disconnection = new AbortController();
  private readonly headers: Record<string, string>;
  private begunAt: number | null = null;
  private events: NumberedEvents | null = null;

  constructor(
    private readonly outgoing: ServerResponse,
    readonly requestId: string,
    /** Selects the protocol in which errors are written. */
    private readonly operation: Operation,
    private readonly stallMs = STALL_MS,
  ) {
    this.headers = { 'x-request-id': requestId };
    // The header that Anthropic's SDK reads the id from.
    if (operation === 'messages') this.headers['request-id'] = requestId;
    outgoing.on('close', this.onClose);
  }

  /** Aborted when the caller disconnects before its answer is complete. */
  get disconnected(): AbortSignal {
    return this.disconnection.signal;
  }

  /** True where the head was sent: from then on an error can only be reported inside the stream. */
  get begun(): boolean {
    return this.outgoing.headersSent;
  }

  /** Milliseconds from a reading of `performance.now()` to the start of the answer; null when none started. */
  begunAfterMs(momentMs: number): number | null {
    return this.begunAt === null ? null : this.begunAt - momentMs;
  }

  /** Adds headers to any answer, errors included. The last value of a name wins. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) this.headers[name.toLowerCase()] = value;
  }

  sendJson(pieces: readonly Uint8Array[]): void {
    const body = joined(pieces);
    this.begunAt = performance.now();
    this.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.byteLength) });
    this.outgoing.end(body);
  }

  /** In the form of the route's protocol (docs/reference/errors.md). */
  sendError(error: GatewayError): void {
    const { status, headers, body } = errorAnswer(error, this.requestId, (envelope) =>
      renderError(this.operation, envelope),
    );
    this.addHeaders(headers);
    this.addHeaders(headersForUnreadBody(this.outgoing.req));
    this.writeHead(status, { 'content-length': String(Buffer.byteLength(body)) });
    this.outgoing.end(body);
  }

  /** @param events numbers the stream's events, where a protocol has numbers; null for a recorded stream. */
  openStream(events: NumberedEvents | null): void {
    this.begunAt = performance.now();
    this.events = events;
    this.writeHead(200, STREAM_HEADERS);
    this.outgoing.flushHeaders();
  }

  /** Resolves when the socket has room again: a slow reader slows the upstream and does not fill our memory. */
  async write(pieces: readonly Uint8Array[]): Promise<void> {
    if (pieces.length === 0 || this.disconnected.aborted) return;
    // One write instead of cork(): corked writes report room that the socket does not have.
    const hasRoom = this.outgoing.write(joined(pieces));
    if (hasRoom) return;
    const stall = setTimeout(() => {
      this.abandon();
    }, this.stallMs);
    await once(this.outgoing, 'drain', { signal: this.disconnected }).catch(() => undefined);
    clearTimeout(stall);
  }

  /** Ends the stream with an error, which can no longer be told by a status. */
  async endWithError(error: GatewayError): Promise<void> {
    const envelope = errorEnvelope(error, this.requestId);
    const sequenceNumber = this.events?.nextSequenceNumber() ?? 0;
    await this.write([streamErrorFrame(this.operation, envelope, sequenceNumber)]);
    this.end();
  }

  end(): void {
    this.outgoing.end();
  }

  /** Closes the connection as if the caller had disconnected. */
  abandon(): void {
    this.disconnection.abort();
    this.outgoing.destroy();
  }

  private readonly onClose = (): void => {
    if (!this.outgoing.writableEnded) this.disconnection.abort();
  };

  private writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    // A list, because Node.js would check an object's values once more.
    const head: string[] = [];
    for (const name in this.headers) head.push(name, this.headers[name] ?? '');
    for (const name in headers) head.push(name, headers[name] ?? '');
    this.outgoing.writeHead(status, head);
  }
}
