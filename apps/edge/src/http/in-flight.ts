import { type ClientReply } from './client-reply';

/** The calls that are being served, so that a shutdown can wait for their books, not only for their sockets. */
export class InFlight {
  private readonly running = new Map<Promise<unknown>, ClientReply>();

  get count(): number {
    return this.running.size;
  }

  track<T>(reply: ClientReply, serving: Promise<T>): Promise<T> {
    this.running.set(serving, reply);
    const forget = () => this.running.delete(serving);
    serving.then(forget, forget);
    return serving;
  }

  /** Ends what still runs after so long as if its callers had left: it is metered for what was observed. */
  abandonAfter(delayMs: number): void {
    setTimeout(() => {
      for (const reply of this.running.values()) reply.abandon();
    }, delayMs).unref();
  }

  /** Resolves when all that runs has ended, well or not. */
  async ended(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running.keys());
  }
}
