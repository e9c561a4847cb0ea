/** The position of a message in Kafka's terms. */
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

/**
 * The store of parked messages (dead letters), which their consumer cannot handle. Parking lets later messages pass.
 */
export interface MessageParking {
  /** Idempotent: a message is parked once. */
  park(message: ParkedMessage): Promise<void>;
  /** True where the store answers. While it does not, a consumer's failure does not count against its message. */
  isAvailable(): Promise<boolean>;
}

/** Thrown by a handler for an event that no retry can handle. */
export class UnprocessableEvent extends Error {
  override readonly name = 'UnprocessableEvent';
}
