/** What travels: the envelope's bytes, keyed by organization so that one organization's events keep their order. */
export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly organizationId: string;
  readonly payload: string;
}

/**
 * Resolves once it has committed what it makes of the event. It must tolerate a repeat.
 * A rejection means "again, a little later"; an `UnprocessableEvent` means "never": the event is parked.
 */
export type EventHandler = (event: EventRecord) => Promise<void>;

/**
 * Carries recorded events from the outbox relay to their consumers, at least once and in order for each
 * organization. It only carries: what must survive is in PostgreSQL.
 */
export interface EventTransport {
  /** Resolves when every event has been taken over; rejects when any was not, and the relay sends all again. */
  publish(events: readonly EventRecord[]): Promise<void>;

  /**
   * Hands every event to one process of the group, one at a time for each organization. An event that its handler can't
   * take is offered again with growing pauses, and parked after ten failures that the database is not to blame for.
   * Subscribe while modules initialise: in one process, what is published to nobody stays in the outbox.
   */
  subscribe(group: string, handler: EventHandler): void;

  /** Resolves when the events in hand are handled. Nothing is handed out or taken over any more. */
  close(): Promise<void>;
}
