import { type ClientReply } from '../../call/client-reply';

/** The calls in flight: a shutdown waits for their settlement, not only for their sockets. */
export class InFlight {
  private readonly running = new Set<ClientReply>();
  private waiting: (() => void)[] = [];

  get count(): number {
    return this.running.size;
  }

  requestIds(): ReadonlySet<string> {
    return new Set([...this.running].map(({ requestId }) => requestId));
  }

  begin(reply: ClientReply): void {
    this.running.add(reply);
  }

  /** Call this when the call has ended, even if it failed. */
  end(reply: ClientReply): void {
    this.running.delete(reply);
    if (this.running.size > 0) return;
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** After the delay, ends running calls as if their callers had disconnected: they are charged for the observed usage. */
  abandonAfter(delayMs: number): void {
    setTimeout(() => {
      for (const reply of this.running) reply.abandon();
    }, delayMs).unref();
  }

  /** Resolves when no call is in flight. */
  async ended(): Promise<void> {
    while (this.running.size > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
