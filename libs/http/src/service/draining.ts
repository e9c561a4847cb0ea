import { setTimeout as wait } from 'node:timers/promises';
import { type FastifyInstance } from 'fastify';
import { closeConnectionsOf } from '../server/front-door';

/**
 * The time between the stop signal and the end of listening. The service is not ready, still serves, and closes each
 * connection with its next answer, so that load balancers and proxies switch to other processes.
 */
export class Draining {
  private begun = false;

  constructor(
    private readonly server: FastifyInstance,
    private readonly delayMs: number,
  ) {}

  get hasBegun(): boolean {
    return this.begun;
  }

  /** Resolves when no new calls are expected. */
  async begin(): Promise<void> {
    this.begun = true;
    closeConnectionsOf(this.server);
    await wait(this.delayMs);
  }
}
