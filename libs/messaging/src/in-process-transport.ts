import { type EventHandler, type EventRecord, type EventTransport } from './event-transport';

/** The embedded default: publisher and consumers share a process, so taking over means having handled. */
export class InProcessTransport implements EventTransport {
  private readonly handlers: EventHandler[] = [];

  async publish(records: readonly EventRecord[]): Promise<void> {
    for (const record of records) {
      for (const handle of this.handlers) await handle(record);
    }
  }

  subscribe(handler: EventHandler): void {
    this.handlers.push(handler);
  }
}
