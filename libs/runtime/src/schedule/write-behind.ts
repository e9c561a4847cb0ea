import { type Logger } from '../observability/logger';

interface WriteBehindOptions {
  /** The name of the rows, for the log: `counts of refused calls`. */
  readonly what: string;
  readonly logger: Logger;
  /** True where there is something to write. */
  readonly isWaiting: () => boolean;
  /** Writes what there is. What it could not write is its own to keep. */
  readonly write: () => Promise<void>;
  /** Milliseconds from the first note to the write. */
  readonly delayMs: () => number;
}

/**
 * Writes behind the path of calls: what they note in memory is written together, some time after the first note, again while
 * there is more, and at the end. Nobody waits for it, and a failure is tried again the next time. A process that is killed
 * loses what it has not written.
 */
export class WriteBehind {
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(private readonly options: WriteBehindOptions) {}

  get isStopped(): boolean {
    return this.isStopping;
  }

  /** Something was noted. Costs a comparison where a write is to come. */
  wake(): void {
    if (this.timer === undefined && !this.isStopping) this.schedule();
  }

  /** Writes what is left, once. Notes from now on are not written by themselves. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  private schedule(): void {
    const { isWaiting, delayMs } = this.options;
    this.timer = setTimeout(() => {
      this.writing = this.write().finally(() => {
        this.timer = undefined;
        if (isWaiting()) this.wake();
      });
    }, delayMs()).unref();
  }

  private async write(): Promise<void> {
    const { what, logger, write } = this.options;
    try {
      await write();
    } catch (error) {
      logger.warn({ err: error }, `${what} not written`);
    }
  }
}
