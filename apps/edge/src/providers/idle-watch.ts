/** An upstream kept silent for longer than its catalog entry allows. */
export class UpstreamTimeout extends Error {
  override readonly name = 'UpstreamTimeout';
  constructor(readonly phase: 'first_byte' | 'idle') {
    super(`upstream silent: ${phase}`);
  }
}

/**
 * Ends an upstream call that falls silent, or whose client has left. One timer a call, pushed back by each chunk:
 * first the wait for the first byte, then the silence between two.
 */
export class IdleWatch {
  /** Set when the watch itself ended the call. */
  timeout: UpstreamTimeout | null = null;

  private readonly ender = new AbortController();
  private timer: NodeJS.Timeout;
  /** While a chunk is with whoever reads the answer, the silence is theirs. */
  private isHandedOn = false;
  private readonly onLeft = (): void => {
    this.ender.abort(this.left.reason);
  };

  constructor(
    private readonly timeouts: { readonly firstByteMs: number; readonly idleMs: number },
    private readonly left: AbortSignal,
  ) {
    this.timer = this.expireIn(timeouts.firstByteMs, 'first_byte');
    if (left.aborted) this.onLeft();
    else left.addEventListener('abort', this.onLeft, { once: true });
  }

  get signal(): AbortSignal {
    return this.ender.signal;
  }

  /** The body, watched until it ends or is abandoned. */
  async *over(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let first = true;
    try {
      for await (const chunk of body) {
        if (first) {
          first = false;
          clearTimeout(this.timer);
          this.timer = this.expireIn(this.timeouts.idleMs, 'idle');
        }
        this.isHandedOn = true;
        yield chunk;
        this.isHandedOn = false;
        this.timer.refresh();
      }
    } catch (error) {
      throw this.timeout ?? error;
    } finally {
      this.stop();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.left.removeEventListener('abort', this.onLeft);
  }

  private expireIn(delayMs: number, phase: UpstreamTimeout['phase']): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.isHandedOn) return;
      this.timeout = new UpstreamTimeout(phase);
      this.ender.abort(this.timeout);
    }, delayMs);
  }
}
