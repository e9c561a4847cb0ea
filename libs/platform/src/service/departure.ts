import { type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type FastifyInstance } from 'fastify';

/**
 * The time between the word to stop and the end of listening, in which balancers and proxies find other processes: the
 * service is not ready any more, still serves, and closes each connection with its next answer.
 */
export class Departure {
  private begun = false;

  constructor(
    private readonly server: FastifyInstance,
    private readonly delayMs: number,
  ) {}

  get hasBegun(): boolean {
    return this.begun;
  }

  /** Resolves when nothing new is to be expected. */
  async begin(): Promise<void> {
    this.begun = true;
    // Before all others: what is answered before the framework sees it closes its connection too.
    this.server.server.prependListener('request', (_: IncomingMessage, answer: ServerResponse) => {
      answer.setHeader('connection', 'close');
    });
    await wait(this.delayMs);
  }
}
