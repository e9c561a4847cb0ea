import { type ClientReply } from './client-reply';

/** The calls that are being served, so that a shutdown can wait for their books, not only for their sockets. */
export class InFlight {
  private readonly running = new Set<ClientReply>();
  private waiting: (() => void)[] = [];

  get count(): number {
    return this.running.size;
  }

  begin(reply: ClientReply): void {
    this.running.add(reply);
  }

  /** To be called when the call is done with, well or not. */
  end(reply: ClientReply): void {
    this.running.delete(reply);
    if (this.running.size > 0) return;
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Ends what still runs after so long as if its callers had left: it is metered for what was observed. */
  abandonAfter(delayMs: number): void {
    setTimeout(() => {
      for (const reply of this.running) reply.abandon();
    }, delayMs).unref();
  }

  /** Resolves when all that runs has ended. */
  async ended(): Promise<void> {
    while (this.running.size > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
