import { randomUUID } from 'node:crypto';
import { type EdgeInstanceStore } from '@svc/persistence';
import { type Logger } from '@svc/platform';

const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

/**
 * This process as the owner of the calls it runs. It renews a lease while it lives; when the lease runs out, the
 * worker closes what the process left open.
 */
export class EdgeInstance {
  readonly id = randomUUID();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: EdgeInstanceStore,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    await this.store.renew(this.id, LEASE_MS);
    this.timer = setInterval(() => {
      this.store.renew(this.id, LEASE_MS).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'edge lease not renewed');
      });
    }, RENEW_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.store.remove(this.id);
  }
}
