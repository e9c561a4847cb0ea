import { type ExportOutcome } from '@svc/telemetry';
import { ExportQueue } from './export-queue';

interface ExporterOptions<T> {
  /** More make the oldest be dropped. */
  readonly waitingMax: number;
  readonly batchMax: number;
  /** How long the first of a batch waits for others. */
  readonly lingerMs: number;
  /** Sends a batch, in bounded time. Must not throw. @param failures in a row before this one. */
  readonly send: (batch: readonly T[], failures: number) => Promise<ExportOutcome>;
  readonly onDropped: (count: number) => void;
}

/**
 * Sends what waits for one collector, a batch at a time and in order. While the collector takes nothing, its telemetry
 * waits here, and the oldest is dropped: no other collector waits for it.
 */
export class Exporter<T> {
  private readonly queue: ExportQueue<T>;
  private running: Promise<void> | null = null;
  private failures = 0;
  private isStopping = false;
  /** True where a batch that is not full waits for others. */
  private isLingering = false;
  private continueNow: () => void = () => undefined;

  constructor(private readonly options: ExporterOptions<T>) {
    this.queue = new ExportQueue(options.waitingMax);
  }

  /** Nothing waits and nothing is under way. */
  get isIdle(): boolean {
    return this.running === null;
  }

  get waitingCount(): number {
    return this.queue.length;
  }

  add(item: T): void {
    this.countDropped(this.queue.add(item));
    if (this.isLingering && this.queue.length >= this.options.batchMax) this.continueNow();
    this.running ??= this.run();
  }

  /** Drops the oldest. */
  drop(count: number): void {
    this.countDropped(this.queue.drop(count));
  }

  /** Sends what waits at once, as long as the collector takes it. Resolves when nothing waits any more. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.continueNow();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.queue.length > 0) {
      await this.linger();
      const batch = this.queue.take(this.options.batchMax);
      if (batch.length > 0) await this.finish(batch, await this.options.send(batch, this.failures));
    }
    this.running = null;
  }

  private async linger(): Promise<void> {
    const { batchMax, lingerMs } = this.options;
    this.isLingering = this.failures === 0 && this.queue.length < batchMax;
    if (this.isLingering) await this.pause(lingerMs);
    this.isLingering = false;
  }

  private async finish(batch: readonly T[], outcome: ExportOutcome): Promise<void> {
    this.failures = outcome.kind === 'taken' ? 0 : this.failures + 1;
    if (outcome.kind === 'taken') return;
    if (outcome.kind === 'refused') return void this.options.onDropped(batch.length);
    this.countDropped(this.queue.putBack(batch));
    if (this.isStopping) this.drop(this.queue.length);
    else await this.pause(outcome.waitMs);
  }

  private async pause(ms: number): Promise<void> {
    if (this.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.continueNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.continueNow = () => undefined;
  }

  private countDropped(count: number): void {
    if (count > 0) this.options.onDropped(count);
  }
}
