import { createHash } from 'node:crypto';
import { type EventConsumer } from '../consumption/event-consumer';
import { type ReceivedMessage } from '../consumption/received-message';
import { type EventRecord } from '../event-record';
import { EventServer } from '../strategy/event-server';

/** The embedded default: client and handlers share a process, so an event is accepted once it has been handled. */
export class InProcessEventServer extends EventServer {
  private consumers: readonly EventConsumer[] = [];

  override listen(callback: () => void): void {
    this.consumers = this.openConsumers();
    callback();
  }

  /** Resolves when every group has handled or parked it. @throws the error of a handler. */
  async take(event: EventRecord): Promise<void> {
    if (this.consumers.length === 0) throw new Error('Nobody takes events yet.');
    const message = messageOf(event);
    for (const consumer of this.consumers) {
      const postponement = await consumer.take(message);
      if (postponement !== null) throw postponement.cause;
    }
  }

  /**
   * Does nothing: the client ends the events, because the relay empties the outbox after Nest has closed its servers.
   */
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A parked message needs an offset, which does not exist in process. So it is derived from the event's id. */
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
