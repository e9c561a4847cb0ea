import { setTimeout as wait } from 'node:timers/promises';
import { type FastifyInstance } from 'fastify';

/**
 * The time between the word to stop and the end of listening, in which balancers and proxies find other processes: the
 * service is not ready any more, still serves, and closes each connection with its next answer.
 */
export class Departure {
  private begun = false;

  constructor(
    server: FastifyInstance,
    private readonly delayMs: number,
  ) {
    server.addHook('onRequest', (_, reply, done) => {
      if (this.begun) reply.header('connection', 'close');
      done();
    });
  }

  get hasBegun(): boolean {
    return this.begun;
  }

  /** Resolves when nothing new is to be expected. */
  async begin(): Promise<void> {
    this.begun = true;
    await wait(this.delayMs);
  }
}
