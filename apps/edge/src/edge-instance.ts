import { randomUUID } from 'node:crypto';
import { type EdgeInstanceStore } from '@svc/persistence';
import { type Logger } from '@svc/platform';

const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** After an outage of the database the worker must not take this process for dead. */
const RETRY_EVERY_MS = 1_000;

/**
 * This process as the owner of the calls it runs. It renews a lease while it lives; when the lease runs out, the
 * worker closes what the process left open.
 */
export class EdgeInstance {
  readonly id = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly store: EdgeInstanceStore,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    await this.store.renew(this.id, LEASE_MS);
    this.renewIn(RENEW_EVERY_MS);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.store.remove(this.id);
  }

  private renewIn(delayMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.store.renew(this.id, LEASE_MS).then(
        () => {
          this.renewIn(RENEW_EVERY_MS);
        },
        (error: unknown) => {
          this.logger.warn({ err: error }, 'edge lease not renewed');
          this.renewIn(RETRY_EVERY_MS);
        },
      );
    }, delayMs);
  }
}
