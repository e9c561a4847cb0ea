import { randomUUID } from 'node:crypto';
import { type Clock, type GatewayError } from '@svc/kernel';
import { type RefusalBatch, type RefusalStore } from '@svc/persistence';
import { Counter, type Logger, type Registry } from '@svc/platform';
import { RefusalCounts, type RefusedCaller } from './refusal-counts';

const WRITE_EVERY_MS = 5_000;
/** Sums in memory. About 10 MB, where the database is away and keys and models are many. */
const ROWS_MAX = 20_000;
/** Sums in one statement. */
const BATCH_ROWS = 2_000;

interface RefusalRecorderOptions {
  readonly store: Pick<RefusalStore, 'add'>;
  /** Whether the catalog has a model or an alias of this name. */
  readonly isKnownModel: (name: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly writeEveryMs?: number;
  readonly rowsMax?: number;
  readonly batchRows?: number;
}

/**
 * Counts the calls of known callers that are refused before a provider is called (docs/reference/money.md#refusals). Calls
 * only add to sums in memory. Those are written every 5 s while there are any, and at the end. A process that is killed loses
 * what it has not written.
 */
export class RefusalRecorder {
  private readonly counts: RefusalCounts;
  private readonly writerId = randomUUID();
  private readonly dropped: Counter;
  private lastNumber = 0;
  /** A batch of which nobody knows whether it was committed. It is sent again as it is, before any other. */
  private unanswered: RefusalBatch | null = null;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<unknown> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly options: RefusalRecorderOptions) {
    this.counts = new RefusalCounts(options.rowsMax ?? ROWS_MAX);
    this.dropped = new Counter({
      name: 'svc_refusals_dropped_total',
      help: 'Refused calls that were not counted, because the database was away for too long.',
      registers: [options.metrics],
    });
  }

  /**
   * Counts a refusal. A 5xx is no refusal: the service failed. Costs a map entry, and never waits.
   * @param model as the call named it.
   */
  readonly note = (caller: RefusedCaller, model: string | null | undefined, error: GatewayError): void => {
    if (error.definition.status >= 500) return;
    const known = model != null && this.options.isKnownModel(model) ? model : null;
    if (!this.counts.add(caller, known, error, this.options.clock.now())) this.dropped.inc();
    if (this.timer === undefined && !this.isStopped) this.schedule();
  };

  /** Writes what is left, if the database takes it. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.writing = this.write().finally(() => {
        this.timer = undefined;
        if ((this.unanswered !== null || this.counts.size > 0) && !this.isStopped) this.schedule();
      });
    }, this.options.writeEveryMs ?? WRITE_EVERY_MS).unref();
  }

  /**
   * Writes, in batches, the sums that there are when it begins: a flood of refusals makes no flood of statements. Never throws:
   * what could not be written is kept for the next time.
   */
  private async write(): Promise<void> {
    const batchRows = this.options.batchRows ?? BATCH_ROWS;
    const newBatches = Math.ceil(this.counts.size / batchRows);
    const batches = this.unanswered === null ? newBatches : newBatches + 1;
    try {
      for (let written = 0; written < batches; written++) {
        this.unanswered ??= this.nextBatch(batchRows);
        await this.options.store.add(this.unanswered);
        this.unanswered = null;
      }
    } catch (error) {
      this.options.logger.warn({ err: error }, 'counts of refused calls not written');
    }
  }

  private nextBatch(batchRows: number): RefusalBatch {
    return { writerId: this.writerId, number: ++this.lastNumber, rows: this.counts.take(batchRows) };
  }
}
