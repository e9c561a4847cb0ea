import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { type FastifyReply } from 'fastify';
import { joined } from '../delivery/joined';

/** Names and values in turn, as they go onto the connection. */
type HeaderList = readonly string[];

const STREAM_HEADERS: HeaderList = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-cache',
  'x-accel-buffering',
  'no',
];

/**
 * A caller that takes nothing for so long has left without a word: it must not keep its hold and its provider for ever.
 * Long enough for one that a debugger stopped.
 */
const STALL_MS = 300_000;

/** The caller's end of an inference call: where its answer goes, and word of its leaving. */
export class ClientReply {
  private readonly gone = new AbortController();
  private readonly raw: ServerResponse;
  private begunAt: number | null = null;

  constructor(
    private readonly reply: FastifyReply,
    private readonly stallMs = STALL_MS,
  ) {
    this.raw = reply.raw;
    this.raw.on('close', this.onClose);
  }

  /** Aborted when the client left before its answer was whole. */
  get left(): AbortSignal {
    return this.gone.signal;
  }

  /** Whether bytes of an answer are on their way: from then on an error can only be told inside the stream. */
  get begun(): boolean {
    return this.raw.headersSent;
  }

  /** How long after a moment of `performance.now()` an answer began; null when none did. */
  begunAfterMs(momentMs: number): number | null {
    return this.begunAt === null ? null : this.begunAt - momentMs;
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.reply.headers(headers);
  }

  sendJson(pieces: readonly Uint8Array[]): void {
    const body = joined(pieces);
    this.begunAt = performance.now();
    this.reply.hijack();
    const length = String(body.byteLength);
    this.writeHead(['content-type', 'application/json', 'content-length', length]);
    this.raw.end(body);
  }

  openStream(): void {
    this.begunAt = performance.now();
    this.reply.hijack();
    this.writeHead(STREAM_HEADERS);
    this.raw.flushHeaders();
  }

  /** Resolves when the client's side can take more, so that a slow reader slows the upstream, not our memory. */
  async write(pieces: readonly Uint8Array[]): Promise<void> {
    if (pieces.length === 0 || this.left.aborted) return;
    // One write, and no cork: corked writes report room that the socket does not have.
    const hasRoom = this.raw.write(joined(pieces));
    if (hasRoom) return;
    const stall = setTimeout(() => {
      this.abandon();
    }, this.stallMs);
    await once(this.raw, 'drain', { signal: this.left }).catch(() => undefined);
    clearTimeout(stall);
  }

  end(): void {
    this.raw.end();
  }

  /** Cuts the connection, as the caller would by leaving. */
  abandon(): void {
    this.gone.abort();
    this.raw.destroy();
  }

  private readonly onClose = (): void => {
    if (!this.raw.writableEnded) this.gone.abort();
  };

  /** With the headers that were set for the reply until now. */
  private writeHead(headers: HeaderList): void {
    const head: string[] = [];
    for (const [name, value] of Object.entries(this.reply.getHeaders())) head.push(name, String(value));
    head.push(...headers);
    this.raw.writeHead(200, head);
  }
}
