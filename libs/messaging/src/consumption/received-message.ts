import { type EventRecord } from '../event-transport';
import { type MessagePosition } from '../message-parking';

/** A message as it came. It need not be an event. */
export interface ReceivedMessage extends MessagePosition {
  readonly key: string | null;
  readonly payload: Buffer;
  /** @throws UnprocessableEvent when the message is no event. */
  readEvent(): EventRecord;
}
