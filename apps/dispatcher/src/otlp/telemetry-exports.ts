import { setTimeout as wait } from 'node:timers/promises';
import { type Exporter } from './exporter';

/** Longer than an export: the time-out of a collector, and of the resolution of its name. */
const DRAIN_MS = 17_000;

/** Counting what waits takes a look at each exporter. */
const SHED_EVERY = 128;

interface TelemetryExportsOptions<T> {
  readonly newExporter: (organizationId: string, integrationId: string) => Exporter<T>;
  /** Of all integrations in this process. */
  readonly waitingMax: number;
  readonly drainMs?: number;
}

/** The queues of collectors, each for itself. */
export class TelemetryExports<T> {
  private readonly exporters = new Map<string, Exporter<T>>();
  private addedCount = 0;

  constructor(private readonly options: TelemetryExportsOptions<T>) {}

  add(organizationId: string, integrationId: string, item: T): void {
    let exporter = this.exporters.get(integrationId);
    if (exporter === undefined) {
      exporter = this.options.newExporter(organizationId, integrationId);
      this.exporters.set(integrationId, exporter);
    }
    exporter.add(item);
    if (++this.addedCount % SHED_EVERY === 0) this.shed();
  }

  get waitingCount(): number {
    let count = 0;
    for (const { waitingCount } of this.exporters.values()) count += waitingCount;
    return count;
  }

  /** Frees exporters that have nothing to do. */
  forgetIdle(): void {
    for (const [id, { isIdle }] of this.exporters) if (isIdle) this.exporters.delete(id);
  }

  /** Sends what waits, in bounded time. What is left is dropped. */
  async drain(): Promise<void> {
    const done = new AbortController();
    const late = wait(this.options.drainMs ?? DRAIN_MS, undefined, { signal: done.signal }).catch(
      () => undefined,
    );
    await Promise.race([Promise.all([...this.exporters.values()].map((each) => each.stop())), late]);
    done.abort();
    for (const exporter of this.exporters.values()) exporter.drop(exporter.waitingCount);
  }

  /** Memory is bounded at the cost of the collectors that take the least. */
  private shed(): void {
    for (let excess = this.waitingCount - this.options.waitingMax; excess > 0;) {
      const longest = this.longest();
      const share = Math.min(excess, Math.ceil(longest.waitingCount / 2));
      longest.drop(share);
      excess -= share;
    }
  }

  private longest(): Exporter<T> {
    return [...this.exporters.values()].reduce((longest, each) =>
      each.waitingCount > longest.waitingCount ? each : longest,
    );
  }
}
