/** Where a message stood, in the terms of Kafka. */
export interface MessagePosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

export interface ParkedMessage extends MessagePosition {
  readonly consumer: string;
  readonly key: string | null;
  readonly payload: Buffer;
  readonly reason: string;
}

/** Where messages are set aside that their consumer can't take, so that those behind them can pass. */
export interface MessageParking {
  /** Parking a message twice is parking it once. */
  park(message: ParkedMessage): Promise<void>;
  /** Whether the store answers: while it does not, a consumer's failure is not its message's fault. */
  isAvailable(): Promise<boolean>;
}

/** Thrown by a handler that will never be able to take an event, whatever else happens. */
export class UnprocessableEvent extends Error {
  override readonly name = 'UnprocessableEvent';
}
