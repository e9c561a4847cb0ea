import { WriteBehind } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { type SumsByMinute } from './sums-by-minute';

const WRITE_EVERY_MS = 5_000;
/** Sums in one statement: making it blocks calls for a millisecond. */
const BATCH_SUMS = 500;

interface SumWriterOptions<Sum extends { isWritten: boolean }> {
  /** For the log. */
  readonly what: string;
  readonly sums: SumsByMinute<Sum>;
  readonly write: (sums: readonly Sum[]) => Promise<void>;
  readonly logger: Logger;
  readonly writeEveryMs?: number | undefined;
}

/** Writes sums that changed every 5 s, and at the end. */
export class SumWriter<Sum extends { isWritten: boolean }> {
  private readonly behind: WriteBehind;

  constructor(private readonly options: SumWriterOptions<Sum>) {
    const { what, sums, logger, writeEveryMs = WRITE_EVERY_MS } = options;
    this.behind = new WriteBehind({
      what,
      logger,
      delayMs: () => writeEveryMs,
      isWaiting: () => sums.changed().length > 0,
      write: () => this.write(),
    });
  }

  /** Says that a sum has changed. Never waits. */
  wake(): void {
    this.behind.wake();
  }

  /** Writes what is left, if the database takes it. */
  stop(): Promise<void> {
    return this.behind.stop();
  }

  private async write(): Promise<void> {
    const { sums } = this.options;
    const changed = sums.changed();
    try {
      for (let at = 0; at < changed.length; at += BATCH_SUMS) {
        await this.writeBatch(changed.slice(at, at + BATCH_SUMS));
      }
    } finally {
      sums.forgetWritten();
    }
  }

  private async writeBatch(batch: readonly Sum[]): Promise<void> {
    // Before the statement is made: a call that ends while it runs changes the sum again.
    for (const sum of batch) sum.isWritten = true;
    try {
      await this.options.write(batch);
    } catch (error) {
      for (const sum of batch) sum.isWritten = false;
      throw error;
    }
  }
}
