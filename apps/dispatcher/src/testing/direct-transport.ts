import { type EventHandler, type EventRecord, type EventTransport } from '@svc/messaging';

/** Hands events to their consumers as they are published, and failures back: a spec sees what a transport would. */
export class DirectTransport implements EventTransport {
  private readonly handlers: EventHandler[] = [];

  async publish(events: readonly EventRecord[]): Promise<void> {
    for (const event of events) {
      for (const handle of this.handlers) await handle(event);
    }
  }

  subscribe(_group: string, handler: EventHandler): void {
    this.handlers.push(handler);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
