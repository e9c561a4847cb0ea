import { type ReceivedMessage } from './received-message';

/** The handler failed. The message must be retried before any later one of its partition. */
export interface Postponement {
  readonly retryInMs: number;
  readonly cause: unknown;
}

/** The outcome of a message. */
export type MessageOutcome = 'handled' | 'postponed' | 'parked' | 'lost';

/** Handles the messages of a consumer group, over any transport. */
export interface MessageConsumer {
  readonly group: string;
  /** The most messages that it is offered at a time. */
  readonly messagesMax: number;
  /**
   * Takes the first of these messages of one partition, and as many after it as it handles together. Never rejects.
   * @returns how many it took, which hold up no later one, or why the first is postponed.
   */
  takeFirst(messages: readonly ReceivedMessage[]): Promise<number | Postponement>;
}

/** Offers the messages from `at` on. @returns as `takeFirst`. */
export const takeNext = (consumer: MessageConsumer, messages: readonly ReceivedMessage[], at: number) =>
  consumer.takeFirst(messages.slice(at, at + consumer.messagesMax));
