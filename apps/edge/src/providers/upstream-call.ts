import { type Dispatcher } from 'undici';
import { joined } from '../delivery/joined';
import { UpstreamTimeout } from './upstream-timeout';

/** What an upstream may be ahead of its reader by, before it is made to wait. */
const UNREAD_BYTES_MAX = 64 * 1024;
/**
 * What comes sooner after the last piece waits for so long, and goes with all that came meanwhile: of a stream that is faster than
 * anyone reads, each piece on its own costs more than all that is done with its bytes. The first is handed on at once, as are
 * the end and more than may be unread.
 */
const PACE_MS = 2;

/** An upstream's answer, its head read and its body still coming. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What came since the last look, in one piece. Throws UpstreamTimeout when the upstream falls silent, or the connection's own error. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface Silence {
  readonly firstByteMs: number;
  readonly idleMs: number;
}

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * One call on its connection: hands its answer to whoever reads it, and ends it when the upstream falls silent or the
 * caller has left. One timer a call: first the wait for the first byte, then the silence between two, pushed back each
 * time a reader begins to wait. It speaks undici's own dispatch protocol, because its streams cost a third of a whole call.
 */
export class UpstreamCall
  implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array, undefined>
{
  private controller: Dispatcher.DispatchController | null = null;
  private head: Waiting<UpstreamAnswer> | null = null;
  private reader: Waiting<IteratorResult<Uint8Array, undefined>> | null = null;
  private unread: Buffer[] = [];
  private unreadBytes = 0;
  private state: 'running' | 'ended' | 'failed' = 'running';
  private failure: unknown;
  private phase: UpstreamTimeout['phase'] = 'first_byte';
  private timer: NodeJS.Timeout;
  private handedOnAtMs = -Infinity;
  private pace: NodeJS.Timeout | undefined;
  /** While a chunk is with whoever reads the answer, or waits for them, the silence is theirs. */
  private isHandedOn = false;

  constructor(
    private readonly silence: Silence,
    private readonly left: AbortSignal,
    private readonly paceMs = PACE_MS,
  ) {
    this.timer = setTimeout(this.onSilence, silence.firstByteMs);
    left.addEventListener('abort', this.onLeft, { once: true });
  }

  /** Resolves with the head of the answer. To be asked for before the call is dispatched. */
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
    // 1xx: the answer is still to come (RFC 9110 section 15.2).
    if (status >= 200) this.head?.resolve({ status, headers, body: this });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.state !== 'running') return;
    if (this.phase === 'first_byte') this.awaitRest();
    this.unread.push(chunk);
    this.unreadBytes += chunk.byteLength;
    if (this.unreadBytes > UNREAD_BYTES_MAX) {
      controller.pause();
      queueMicrotask(this.serveReader);
    } else if (this.reader !== null && this.unread.length === 1) {
      if (performance.now() - this.handedOnAtMs < this.paceMs)
        this.pace = setTimeout(this.serveReader, this.paceMs);
      // Once the parser is through with what the socket had: of a provider that writes a chunk a frame, many come at once.
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
      if (this.isHandedOn) this.timer.refresh();
      this.isHandedOn = false;
    });
  }

  /** What is left of the answer is not wanted. */
  return(): Promise<IteratorReturnResult<undefined>> {
    this.unread = [];
    if (this.state === 'running') this.abort(new Error('not read on'));
    return Promise.resolve(END);
  }

  /** From now on each wait of a reader begins the silence anew. */
  private awaitRest(): void {
    clearTimeout(this.timer);
    this.phase = 'idle';
    this.timer = setTimeout(this.onSilence, this.silence.idleMs);
  }

  /** With what came, then with how it ended; while there is neither, the reader waits. */
  private readonly serveReader = (): void => {
    const { reader } = this;
    if (reader === null || (this.unread.length === 0 && this.state === 'running')) return;
    // Before anything is taken: that lets the upstream go on, and what comes then, the end with it, is for who reads next.
    this.reader = null;
    if (this.unread.length > 0) reader.resolve({ done: false, value: this.takeUnread() });
    else if (this.state === 'ended') reader.resolve(END);
    else reader.reject(this.failure);
  };

  private takeUnread(): Uint8Array {
    const { unread } = this;
    this.unread = [];
    this.unreadBytes = 0;
    this.isHandedOn = true;
    this.handedOnAtMs = performance.now();
    this.controller?.resume();
    return joined(unread);
  }

  private readonly onSilence = (): void => {
    if (!this.isHandedOn && this.unread.length === 0) this.abort(new UpstreamTimeout(this.phase));
  };

  private readonly onLeft = (): void => {
    this.abort(this.left.reason as Error);
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
    clearTimeout(this.pace);
    this.left.removeEventListener('abort', this.onLeft);
  }
}
