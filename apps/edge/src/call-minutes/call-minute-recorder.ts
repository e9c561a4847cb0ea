import { randomUUID } from 'node:crypto';
import { type Clock } from '@svc/kernel';
import { type CallMinuteStore } from '@svc/usage/store';
import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { CallMinuteSums, type CallMinuteSum } from './call-minute-sums';
import { type EndedCall } from './ended-call';
import { SumWriter } from './sum-writer';

/** Sums in memory. About 50 MB, where the database is away and keys and models are many. */
const SUMS_MAX = 20_000;

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
  private readonly writer: SumWriter<CallMinuteSum>;

  constructor(private readonly options: CallMinuteRecorderOptions) {
    const { store, logger, metrics, writeEveryMs, sumsMax = SUMS_MAX } = options;
    this.sums = new CallMinuteSums(sumsMax, randomUUID);
    this.dropped = new Counter({
      name: 'svc_call_minutes_dropped_total',
      help: 'Calls that the figures by the minute miss, because the database was away for too long.',
      registers: [metrics],
    });
    this.writer = new SumWriter({
      what: 'sums of calls by the minute',
      sums: this.sums,
      write: (sums) => store.write(sums),
      logger,
      writeEveryMs,
    });
  }

  /**
   * Counts a call that has ended. Costs a map entry, and never waits.
   * @param spentNanos what the customer was charged.
   * @param providerNanos what the customer's own account at the provider pays.
   */
  note(call: EndedCall, spentNanos: number, providerNanos = 0): void {
    const charges = { customerNanos: spentNanos, providerNanos };
    if (!this.sums.add(call, charges, this.options.clock.now())) this.dropped.inc();
    this.writer.wake();
  }

  /** Writes what is left, if the database takes it. */
  stop(): Promise<void> {
    return this.writer.stop();
  }
}
