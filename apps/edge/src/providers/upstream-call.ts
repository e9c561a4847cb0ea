import { type Dispatcher } from 'undici';
import { joined } from '../call/joined';
import { decompressed } from './decompressed';
import { UpstreamTimeout } from './upstream-timeout';

/** Bytes that may wait for the reader before the upstream is paused. */
const UNREAD_BYTES_MAX = 64 * 1024;
/**
 * Chunks that arrive sooner than this after the last delivery are coalesced into one: of a fast stream, each delivery costs more
 * than all work on its bytes. The first chunk, the end and more than {@link UNREAD_BYTES_MAX} are delivered at once.
 */
const COALESCE_MS = 2;

/** An upstream's answer: its head was read, its body is still arriving. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decompressed; each value is all that arrived since the last. Throws UpstreamTimeout when nothing arrives in time, or the connection's own error. */
  readonly body: AsyncIterable<Uint8Array>;
}

interface AnswerTimeouts {
  readonly firstByteMs: number;
  readonly idleMs: number;
}

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * One call to an upstream: delivers the answer to its reader, and aborts when a timeout passes or the caller disconnects.
 * It has one timer: first for the first byte, then for the idle time, which starts anew each time a reader begins to wait.
 * It implements undici's dispatch handler, because undici's streams cost a third of a whole call.
 */
export class UpstreamCall
  implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array, undefined>
{
  /** True where anything came back, an interim response included. */
  hasResponse = false;
  private controller: Dispatcher.DispatchController | null = null;
  private head: Waiting<UpstreamAnswer> | null = null;
  private reader: Waiting<IteratorResult<Uint8Array, undefined>> | null = null;
  private unread: Buffer[] = [];
  private unreadBytes = 0;
  private state: 'running' | 'ended' | 'failed' = 'running';
  private failure: unknown;
  private phase: UpstreamTimeout['phase'] = 'first_byte';
  private timer: NodeJS.Timeout;
  private deliveredAtMs = -Infinity;
  private coalesceTimer: NodeJS.Timeout | undefined;
  /** The reader has a chunk and has not asked for the next: the upstream is not idle meanwhile. */
  private isReaderBusy = false;

  constructor(
    private readonly timeouts: AnswerTimeouts,
    private readonly disconnected: AbortSignal,
    private readonly coalesceMs = COALESCE_MS,
  ) {
    this.timer = setTimeout(this.onTimeout, timeouts.firstByteMs);
    disconnected.addEventListener('abort', this.onDisconnected, { once: true });
  }

  /** Resolves with the head of the answer. Call this before the call is dispatched. */
  answer(): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      this.head = { resolve, reject };
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.state === 'failed') controller.abort(this.failure as Error);
  }

  onResponseStart(_: unknown, status: number, headers: UpstreamAnswer['headers']): void {
    this.hasResponse = true;
    // 1xx is interim: the answer follows (RFC 9110 section 15.2).
    if (status < 200) return;
    this.head?.resolve({ status, headers, body: decompressed(this, headers['content-encoding']) });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.state !== 'running') return;
    if (this.phase === 'first_byte') this.startIdleTimer();
    this.unread.push(chunk);
    this.unreadBytes += chunk.byteLength;
    if (this.unreadBytes > UNREAD_BYTES_MAX) {
      controller.pause();
      queueMicrotask(this.serveReader);
    } else if (this.reader !== null && this.unread.length === 1) {
      if (performance.now() - this.deliveredAtMs < this.coalesceMs)
        this.coalesceTimer = setTimeout(this.serveReader, this.coalesceMs);
      // After the parser has read all that the socket had: a provider that writes one frame a chunk sends many at once.
      else queueMicrotask(this.serveReader);
    }
  }

  onResponseEnd(): void {
    if (this.state !== 'running') return;
    this.finish('ended');
    this.serveReader();
  }

  onResponseError(_: unknown, error: Error): void {
    this.fail(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    return new Promise((resolve, reject) => {
      this.reader = { resolve, reject };
      this.serveReader();
      if (this.reader === null) return;
      if (this.isReaderBusy) this.timer.refresh();
      this.isReaderBusy = false;
    });
  }

  /** Aborts an answer that is not read to its end. */
  return(): Promise<IteratorReturnResult<undefined>> {
    this.unread = [];
    if (this.state === 'running') this.abort(new Error('not read on'));
    return Promise.resolve(END);
  }

  private startIdleTimer(): void {
    clearTimeout(this.timer);
    this.phase = 'idle';
    this.timer = setTimeout(this.onTimeout, this.timeouts.idleMs);
  }

  /** Delivers the chunks that arrived, then the end or failure; without either, the reader waits. */
  private readonly serveReader = (): void => {
    const { reader } = this;
    if (reader === null || (this.unread.length === 0 && this.state === 'running')) return;
    // Before takeUnread, which resumes the upstream: what arrives then is for the next read.
    this.reader = null;
    if (this.unread.length > 0) reader.resolve({ done: false, value: this.takeUnread() });
    else if (this.state === 'ended') reader.resolve(END);
    else reader.reject(this.failure);
  };

  private takeUnread(): Uint8Array {
    const { unread } = this;
    this.unread = [];
    this.unreadBytes = 0;
    this.isReaderBusy = true;
    this.deliveredAtMs = performance.now();
    this.controller?.resume();
    return joined(unread);
  }

  private readonly onTimeout = (): void => {
    if (!this.isReaderBusy && this.unread.length === 0) this.abort(new UpstreamTimeout(this.phase));
  };

  private readonly onDisconnected = (): void => {
    this.abort(this.disconnected.reason as Error);
  };

  private abort(reason: Error): void {
    this.fail(reason);
    this.controller?.abort(reason);
  }

  private fail(error: unknown): void {
    if (this.state !== 'running') return;
    this.failure = error;
    this.finish('failed');
    this.head?.reject(error);
    this.serveReader();
  }

  private finish(state: 'ended' | 'failed'): void {
    this.state = state;
    clearTimeout(this.timer);
    clearTimeout(this.coalesceTimer);
    this.disconnected.removeEventListener('abort', this.onDisconnected);
  }
}
