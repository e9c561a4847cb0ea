import { type EventRecord } from '../event-record';
import { type MessagePosition } from '../message-parking';

/** A received message, which may not be an event. */
export interface ReceivedMessage extends MessagePosition {
  readonly key: string | null;
  readonly payload: Buffer;
  /** @throws UnprocessableEvent when the message is not an event. */
  readEvent(): EventRecord;
}
