import { type ReceivedMessage } from './received-message';

/** The handler failed. The message must be retried before any later one of its partition. */
export interface Postponement {
  readonly retryInMs: number;
  readonly cause: unknown;
}

/** What became of a message. */
export type MessageOutcome = 'handled' | 'postponed' | 'parked' | 'lost';

/** Handles the messages of a consumer group, over any transport. */
export interface MessageConsumer {
  readonly group: string;
  /** Never rejects. @returns null when no later message waits for this one. */
  take(message: ReceivedMessage): Promise<Postponement | null>;
}
