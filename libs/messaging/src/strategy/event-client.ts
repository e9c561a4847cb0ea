import { ClientProxy, type ReadPacket } from '@nestjs/microservices';
import { type EventRecord } from '../event-record';

/**
 * Publishes events for the outbox relay: `emit(EVENTS, events)` sends a batch. It completes when every event has been
 * accepted, and otherwise fails: the relay then sends the whole batch again. Batches are sent one at a time, so that an
 * organization's events keep their order.
 */
export abstract class EventClient extends ClientProxy {
  private publishing: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  /** Resolves when every event has been accepted. */
  protected abstract handOver(events: readonly EventRecord[]): Promise<void>;

  /** Does nothing: connections are opened on first use and reopened by themselves. */
  override connect(): Promise<void> {
    return Promise.resolve();
  }

  /** Resolves when the current batch has been accepted or has failed. No event is accepted after it. */
  override async close(): Promise<void> {
    this.isClosed = true;
    await this.publishing;
  }

  protected override dispatchEvent<T>({ data }: ReadPacket<readonly EventRecord[]>): Promise<T> {
    const published = this.publishing.then(() => {
      this.assertOpen();
      return this.handOver(data);
    });
    this.publishing = published.catch(() => undefined);
    return published as Promise<T>;
  }

  private assertOpen(): void {
    if (this.isClosed) throw new Error('The client is closed.');
  }

  protected override publish(): never {
    throw new Error('An event has no answer: it is emitted, not sent.');
  }

  override unwrap(): never {
    throw new Error('This client shows no driver.');
  }
}
