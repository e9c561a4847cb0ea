import { z } from 'zod';
import { accountEvents } from './account-events';
import { type EventDefinition } from './define-event';
import { operationEvents } from './operation-events';
import { spendingEvents } from './spending-events';

/**
 * Every event that customers can receive, with its fields: identifiers, usage and state, never content
 * (docs/reference/events.md). It includes events without a producer yet, so that customers can subscribe.
 */
export const eventCatalogue = { ...accountEvents, ...spendingEvents, ...operationEvents } as const;

export type EventType = keyof typeof eventCatalogue;

/** `data` of each event. */
export type EventData = { readonly [T in EventType]: (typeof eventCatalogue)[T]['example'] };

/** Why a request's usage could not be finalised. */
export type ReconciliationReason = EventData['request.reconciliation_required']['reason'];

export const eventTypes = Object.keys(eventCatalogue) as EventType[];

/** The row of an event, typed for a generic event type. */
export const eventDefinition = <T extends EventType>(type: T): EventDefinition<EventData[T]> =>
  eventCatalogue[type] as unknown as EventDefinition<EventData[T]>;

/**
 * JSON Schema of an event's `data` for receivers. It allows additional fields, because fields may be added without a
 * new `api_version`, and a receiver that validates must not break on them.
 */
export function eventJsonSchema(type: EventType): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(eventCatalogue[type].schema, {
    // A field that zod cannot describe says its type itself.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
}
