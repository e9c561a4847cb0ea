import { createHash } from 'node:crypto';
import { type ConsumptionOptions, type EventConsumer, eventConsumers } from '../consumption/event-consumer';
import { type ReceivedMessage } from '../consumption/received-message';
import { type EventHandler, type EventRecord, type EventTransport } from '../event-transport';

/** The embedded default: publisher and consumers share a process, so taking over means having handled. */
export class InProcessTransport implements EventTransport {
  private readonly consumers: EventConsumer[] = [];
  private readonly newConsumer: ReturnType<typeof eventConsumers>;
  private publishing: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(options: ConsumptionOptions) {
    this.newConsumer = eventConsumers(options);
  }

  subscribe(group: string, handler: EventHandler): void {
    this.consumers.push(this.newConsumer(group, handler));
  }

  publish(events: readonly EventRecord[]): Promise<void> {
    const published = this.publishing.then(() => this.handOver(events));
    this.publishing = published.catch(() => undefined);
    return published;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.publishing;
  }

  private async handOver(events: readonly EventRecord[]): Promise<void> {
    for (const event of events) {
      if (this.isClosed) throw new Error('The transport is closed.');
      if (this.consumers.length === 0) throw new Error('Nobody takes events yet.');
      const message = messageOf(event);
      for (const consumer of this.consumers) {
        const postponement = await consumer.take(message);
        if (postponement !== null) throw postponement.cause;
      }
    }
  }
}

/** Nothing is counted in one process, and a parked message needs a position: a number that its event always has. */
function messageOf(event: EventRecord): ReceivedMessage {
  const digest = createHash('sha256').update(event.id).digest();
  return {
    topic: 'in-process',
    partition: 0,
    offset: digest.readBigUInt64BE() >> 1n,
    key: event.organizationId,
    payload: Buffer.from(event.payload),
    readEvent: () => event,
  };
}
