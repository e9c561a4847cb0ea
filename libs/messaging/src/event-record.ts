/**
 * The pattern of every event: `@EventPattern(EVENTS, { group })` declares a handler, and `client.emit(EVENTS, events)`
 * publishes a batch. With `eventsMax` beside `group` the handler takes up to so many events together, as an array. It is the suffix of the Kafka topic's name.
 */
export const EVENTS = 'events.v1';

/** A published event: the envelope's bytes, keyed by organization so that an organization's events keep their order. */
export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly organizationId: string;
  readonly payload: string;
}

/**
 * Resolves once it has committed its changes. It must be idempotent. A rejection makes the event be retried later. An
 * `UnprocessableEvent` makes it be parked.
 */
export type EventHandler = (event: EventRecord) => Promise<void>;

/**
 * As an {@link EventHandler}, for events of several organizations together, in order for each. A rejection must mean that
 * none was handled: fewer of them are then tried, down to the first alone.
 */
export type EventBatchHandler = (events: readonly EventRecord[]) => Promise<void>;
