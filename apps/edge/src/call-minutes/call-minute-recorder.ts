import { randomUUID } from 'node:crypto';
import { type Clock } from '@svc/kernel';
import { type CallMinuteStore } from '@svc/usage/store';
import { WriteBehind } from '@svc/runtime';
import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { CallMinuteSums, type CallMinuteSum } from './call-minute-sums';
import { type EndedCall } from './ended-call';

const WRITE_EVERY_MS = 5_000;
/** Sums in memory. About 50 MB, where the database is away and keys and models are many. */
const SUMS_MAX = 20_000;
/** Sums in one statement: making it blocks calls for a millisecond. */
const BATCH_SUMS = 500;

interface CallMinuteRecorderOptions {
  readonly store: Pick<CallMinuteStore, 'write'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly writeEveryMs?: number;
  readonly sumsMax?: number;
}

/**
 * Adds up ended calls by the minute (docs/decisions/0032). Sums that changed are written every 5 s, and at the end.
 */
export class CallMinuteRecorder {
  private readonly sums: CallMinuteSums;
  private readonly dropped: Counter;
  private readonly behind: WriteBehind;

  constructor(private readonly options: CallMinuteRecorderOptions) {
    this.sums = new CallMinuteSums(options.sumsMax ?? SUMS_MAX, randomUUID);
    this.dropped = new Counter({
      name: 'svc_call_minutes_dropped_total',
      help: 'Calls that the figures by the minute miss, because the database was away for too long.',
      registers: [options.metrics],
    });
    this.behind = new WriteBehind({
      what: 'sums of calls by the minute',
      logger: options.logger,
      delayMs: () => options.writeEveryMs ?? WRITE_EVERY_MS,
      isWaiting: () => this.sums.changed().length > 0,
      write: () => this.write(),
    });
  }

  /**
   * Counts a call that has ended. Costs a map entry, and never waits.
   * @param spentNanos what the customer was charged.
   */
  note(call: EndedCall, spentNanos: number): void {
    if (!this.sums.add(call, spentNanos, this.options.clock.now())) this.dropped.inc();
    this.behind.wake();
  }

  /** Writes what is left, if the database takes it. */
  stop(): Promise<void> {
    return this.behind.stop();
  }

  private async write(): Promise<void> {
    const changed = this.sums.changed();
    try {
      for (let at = 0; at < changed.length; at += BATCH_SUMS) {
        await this.writeBatch(changed.slice(at, at + BATCH_SUMS));
      }
    } finally {
      this.sums.forgetWritten();
    }
  }

  private async writeBatch(batch: readonly CallMinuteSum[]): Promise<void> {
    // Before the statement is made: a call that ends while it runs changes the sum again.
    for (const sum of batch) sum.isWritten = true;
    try {
      await this.options.store.write(batch);
    } catch (error) {
      for (const sum of batch) sum.isWritten = false;
      throw error;
    }
  }
}
