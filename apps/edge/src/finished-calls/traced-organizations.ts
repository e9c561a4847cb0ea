import { type Change } from '@svc/database';
import { type Logger } from '@svc/runtime/observability';

/** Under the 30 s within which changes reach the edge (docs/reference/limits-and-budgets.md#when-a-change-holds). */
const READ_EVERY_MS = 10_000;

interface TracedOrganizationsOptions {
  readonly find: () => Promise<ReadonlySet<string>>;
  readonly logger: Logger;
  readonly readEveryMs?: number;
}

/** The organizations whose calls are told to collectors: a set in memory, so that a call looks nothing up. */
export class TracedOrganizations {
  private ids: ReadonlySet<string> = new Set();
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | null = null;
  /** True where something changed since the last reading began. */
  private isStale = false;
  private isStopped = false;

  constructor(private readonly options: TracedOrganizationsOptions) {}

  has(organizationId: string): boolean {
    return this.ids.has(organizationId);
  }

  invalidate(change: Change): void {
    if (change.of === 'anything' || change.of === 'otlpIntegration') this.readNow();
  }

  /** Reads the set, and again every 10 s: changes are told while the change feed is up. */
  start(): void {
    this.timer = setInterval(() => {
      this.readNow();
    }, this.options.readEveryMs ?? READ_EVERY_MS).unref();
    this.readNow();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.reading;
  }

  /** One reading at a time: what changes meanwhile is read after it. */
  private readNow(): void {
    this.isStale = true;
    this.reading ??= this.readWhileStale().finally(() => {
      this.reading = null;
    });
  }

  private async readWhileStale(): Promise<void> {
    while (this.isStale && !this.isStopped) {
      this.isStale = false;
      try {
        this.ids = await this.options.find();
      } catch (error) {
        this.options.logger.warn({ err: error }, 'traced organizations not read; it will be tried again');
      }
    }
  }
}
