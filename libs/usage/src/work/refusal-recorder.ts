import { randomUUID } from 'node:crypto';
import { type Clock } from '@svc/kernel';
import { WriteBehind } from '@svc/runtime';
import { sharedCounter, type Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { RefusalCounts, type Refusal, type RefusedCaller } from './refusal-counts';
import { type RefusalBatch, type RefusalStore } from '../store/refusals/refusal-store';

const WRITE_EVERY_MS = 5_000;
/** Sums in memory. About 10 MB, where the database is away and keys and models are many. */
const ROWS_MAX = 20_000;
/** Sums in one statement. */
const BATCH_ROWS = 2_000;

interface RefusalRecorderOptions {
  readonly store: Pick<RefusalStore, 'addRefusals'>;
  /** True where the catalog has a model or an alias of this name. */
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
 * only add to sums in memory. Those are written every 5 s while there are any, and at the end.
 */
export class RefusalRecorder {
  private readonly counts: RefusalCounts;
  private readonly writerId = randomUUID();
  private readonly dropped: Counter;
  private lastNumber = 0;
  /** A batch of which nobody knows whether it was committed. It is sent again as it is, before any other. */
  private unanswered: RefusalBatch | null = null;
  private readonly behind: WriteBehind;

  constructor(private readonly options: RefusalRecorderOptions) {
    this.counts = new RefusalCounts(options.rowsMax ?? ROWS_MAX);
    this.dropped = sharedCounter(options.metrics, {
      name: 'svc_refusals_dropped_total',
      help: 'Refused calls that were not counted, because the database was away for too long.',
    });
    this.behind = new WriteBehind({
      what: 'counts of refused calls',
      logger: options.logger,
      delayMs: () => options.writeEveryMs ?? WRITE_EVERY_MS,
      isWaiting: () => this.unanswered !== null || this.counts.size > 0,
      write: () => this.write(),
    });
  }

  /**
   * Counts a refusal. A 5xx is no refusal: the service failed. Costs a map entry, and never waits.
   * @param model as the call named it.
   */
  readonly note = (caller: RefusedCaller, model: string | null | undefined, error: Refusal): void => {
    if (error.definition.status >= 500) return;
    const known = model != null && this.options.isKnownModel(model) ? model : null;
    if (!this.counts.add(caller, known, error, this.options.clock.now())) this.dropped.inc();
    this.behind.wake();
  };

  /** Writes what is left, if the database takes it. */
  stop(): Promise<void> {
    return this.behind.stop();
  }

  /** Writes, in batches, the sums that there are when it begins: a flood of refusals makes no flood of statements. */
  private async write(): Promise<void> {
    const batchRows = this.options.batchRows ?? BATCH_ROWS;
    const newBatches = Math.ceil(this.counts.size / batchRows);
    const batches = this.unanswered === null ? newBatches : newBatches + 1;
    for (let written = 0; written < batches; written++) {
      this.unanswered ??= this.nextBatch(batchRows);
      await this.options.store.addRefusals(this.unanswered);
      this.unanswered = null;
    }
  }

  private nextBatch(batchRows: number): RefusalBatch {
    return { writerId: this.writerId, number: ++this.lastNumber, rows: this.counts.take(batchRows) };
  }
}
