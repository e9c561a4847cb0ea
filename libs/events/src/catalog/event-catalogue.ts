import { z } from 'zod';
import { accountEvents } from './account-events';
import { type EventDefinition } from './define-event';
import { operationEvents } from './operation-events';
import { spendingEvents } from './spending-events';

/**
 * Every event that a customer can be told of, with what it says: identifiers, usage and state, never content
 * (interface.md, Events). Events whose producers are still to come are here too, so that customers can subscribe.
 */
export const eventCatalogue = { ...accountEvents, ...spendingEvents, ...operationEvents } as const;

export type EventType = keyof typeof eventCatalogue;

/** `data` of each event. */
export type EventData = { readonly [T in EventType]: (typeof eventCatalogue)[T]['example'] };

/** Why a request's usage could not be finalised. */
export type ReconciliationReason = EventData['request.reconciliation_required']['reason'];

export const eventTypes = Object.keys(eventCatalogue) as EventType[];

/** Its row, typed for a type that is known only as a parameter. */
export const eventDefinition = <T extends EventType>(type: T): EventDefinition<EventData[T]> =>
  eventCatalogue[type] as unknown as EventDefinition<EventData[T]>;

/**
 * JSON Schema of an event's `data` for receivers. It allows further fields: more may be added to an event without
 * a new `api_version`, and a receiver that validates must not break on them.
 */
export function eventJsonSchema(type: EventType): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(eventCatalogue[type].schema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
}
