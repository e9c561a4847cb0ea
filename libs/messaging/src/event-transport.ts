/** What travels: the envelope's bytes, keyed by organization so that one organization's events keep their order. */
export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly organizationId: string;
  readonly payload: string;
}

export type EventHandler = (record: EventRecord) => Promise<void>;

/**
 * Carries recorded events from the outbox relay to their consumers, at least once and in order for each
 * organization. It only carries: what must survive is in PostgreSQL (architecture: An event, from any service to a customer).
 */
export interface EventTransport {
  /** Resolves when every record has been taken over; rejects when any was not, and the relay sends all again. */
  publish(records: readonly EventRecord[]): Promise<void>;
  subscribe(handler: EventHandler): void;
}
