import { type MessageParking, type ParkedMessage } from '../message-parking';

/** A store of parked messages for specs, which can simulate an outage. */
export class InMemoryParking implements MessageParking {
  readonly messages: ParkedMessage[] = [];
  isDown = false;

  park(message: ParkedMessage): Promise<void> {
    if (this.isDown) return Promise.reject(new Error('the database is away'));
    this.messages.push(message);
    return Promise.resolve();
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(!this.isDown);
  }
}
