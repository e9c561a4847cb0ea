import { createHash } from 'node:crypto';
import { type CallConsumer } from '../consumption/call-consumer';
import { type CallRecord } from '../call-record';
import { type MessageConsumer, type Postponement, takeNext } from '../consumption/message-consumer';
import { type ReceivedMessage } from '../consumption/received-message';
import { type EventRecord } from '../event-record';
import { EventServer } from '../strategy/event-server';

/** The embedded default: client and handlers share a process, so an event is accepted once it has been handled. */
export class InProcessEventServer extends EventServer {
  private eventConsumers: readonly MessageConsumer[] = [];
  private callConsumers: readonly CallConsumer[] = [];

  override listen(callback: () => void): void {
    this.eventConsumers = this.openEventConsumers();
    this.callConsumers = this.openCallConsumers();
    callback();
  }

  /** Resolves when every group has handled or parked them. @throws the error of a handler. */
  async take(events: readonly EventRecord[]): Promise<void> {
    const [first, ...others] = this.eventConsumers;
    if (first === undefined) throw new Error('Nobody takes events yet.');
    const messages = events.map(messageOf);
    for (let at = 0; at < messages.length;) {
      const count = countOrThrow(await takeNext(first, messages, at));
      for (const other of others) await takeAll(other, messages.slice(at, at + count));
      at += count;
    }
  }

  /** Resolves when every group has had it. */
  async takeCall(call: CallRecord): Promise<void> {
    for (const consumer of this.callConsumers) await consumer.takeCall(call);
  }

  /**
   * Does nothing: the client ends the events, because the relay empties the outbox after Nest has closed its servers.
   */
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

async function takeAll(consumer: MessageConsumer, messages: readonly ReceivedMessage[]): Promise<void> {
  for (let at = 0; at < messages.length;) at += countOrThrow(await takeNext(consumer, messages, at));
}

function countOrThrow(taken: number | Postponement): number {
  if (typeof taken === 'number') return taken;
  throw taken.cause;
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
