import { type MessageParking, type ParkedMessage } from '../message-parking';

/** A store of parked messages for specs, which can be away. */
export class InMemoryParking implements MessageParking {
  readonly messages: ParkedMessage[] = [];
  isAway = false;

  park(message: ParkedMessage): Promise<void> {
    if (this.isAway) return Promise.reject(new Error('the database is away'));
    this.messages.push(message);
    return Promise.resolve();
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(!this.isAway);
  }
}
