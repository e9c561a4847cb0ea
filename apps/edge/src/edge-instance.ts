import { randomUUID } from 'node:crypto';
import { type EdgeInstanceStore } from '@svc/ledger/store';
import { type Logger } from '@svc/runtime/observability';

const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** Renews soon after a database outage, before the worker takes this process for dead. */
const RETRY_EVERY_MS = 1_000;

/**
 * This process as the owner of its calls. It renews a lease while it runs. When the lease lapses, the worker closes the
 * calls that the process left open.
 */
export class EdgeInstance {
  readonly id = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  /**
   * @param platformProviders the names of the providers that this process has a credential of the platform for.
   * @param afterRenewal runs after each renewal of the lease.
   */
  constructor(
    private readonly store: Pick<EdgeInstanceStore, 'renewEdgeInstance' | 'removeEdgeInstance'>,
    private readonly logger: Logger,
    private readonly platformProviders: () => readonly string[] = () => [],
    private readonly afterRenewal: (id: string) => Promise<void> = () => Promise.resolve(),
  ) {}

  async start(): Promise<void> {
    await this.renew();
    this.renewIn(RENEW_EVERY_MS);
  }

  /** To be called when no call is pending. Without the database the lease just lapses: a restart of everything is ordinary. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    try {
      await this.store.removeEdgeInstance(this.id);
    } catch (error) {
      this.logger.warn({ err: error }, 'edge lease not removed; it lapses by itself');
    }
  }

  private renew(): Promise<void> {
    return this.store.renewEdgeInstance(this.id, LEASE_MS, this.platformProviders());
  }

  private renewIn(delayMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.renew().then(
        () => {
          this.renewIn(RENEW_EVERY_MS);
          this.sweepAfterRenewal();
        },
        (error: unknown) => {
          this.logger.warn({ err: error }, 'edge lease not renewed');
          this.renewIn(RETRY_EVERY_MS);
        },
      );
    }, delayMs);
  }

  private sweepAfterRenewal(): void {
    this.afterRenewal(this.id).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'forgotten holds not looked for');
    });
  }
}
