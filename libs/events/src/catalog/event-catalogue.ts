import { accountEvents } from './account-events';
import { defineEvent, type EventDefinition } from './define-event';
import { exampleOf, idOf, type EventExample, type JsonSchema } from './event-fields';
import { operationEvents } from './operation-events';
import { spendingEvents } from './spending-events';

const events = { ...accountEvents, ...spendingEvents, ...operationEvents } as const;

/**
 * The test of a webhook endpoint can show how another event would come, but never has its type: no receiver takes an
 * example for what happened.
 */
const webhookTest = defineEvent(
  'somebody asked for a test of a webhook endpoint',
  { endpoint_id: idOf('webhookEndpoint') },
  /** Where the test was asked for with an event. */
  { example: exampleOf(events, 'budget.exceeded') },
);

/**
 * Every event that customers can receive, with its fields: identifiers, usage and state, never content
 * (docs/reference/events.md). It includes events without a producer yet, so that customers can subscribe.
 */
export const eventCatalogue = { ...events, 'webhook.test': webhookTest } as const;

export type EventType = keyof typeof eventCatalogue;

/** `data` of each event. */
export type EventData = { readonly [T in EventType]: (typeof eventCatalogue)[T]['example'] };

/** Why a request's usage could not be finalised. */
export type ReconciliationReason = EventData['request.reconciliation_required']['reason'];

export const eventTypes = Object.keys(eventCatalogue) as EventType[];

/** The example of an event for a test; null for an unknown type, and for the test itself. */
export const testedExample = (type: string): EventExample | null =>
  Object.hasOwn(events, type) ? { type, data: events[type as keyof typeof events].example } : null;

/** The row of an event, typed for a generic event type. */
export const eventDefinition = <T extends EventType>(type: T): EventDefinition<EventData[T]> =>
  eventCatalogue[type] as unknown as EventDefinition<EventData[T]>;

/** JSON Schema of an event's `data`, as a document of its own. */
export const eventJsonSchema = (type: EventType): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...eventCatalogue[type].schema,
});
