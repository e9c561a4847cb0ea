import { canonicalJson, type Id, type JsonValue } from '@svc/kernel';
import { eventDefinition, type EventData, type EventType } from '../catalog/event-catalogue';

/** Version of the envelope and of every event's `data` (docs/reference/events.md#the-envelope). */
export const EVENT_API_VERSION = '2026-11-01';

/** An event, ready for the outbox. `payload` is the exact webhook body. */
export interface RecordedEvent {
  readonly id: Id<'event'>;
  readonly type: EventType;
  readonly organizationId: string;
  readonly payload: string;
}

/**
 * Serialises an event once, when it is recorded: keys sorted by code point, compact, UTF-8. These are the bytes that
 * are stored, signed and sent (docs/reference/webhooks.md#the-delivery-request).
 * @throws TypeError when `data` does not match the catalogue. The compiler accepts objects with more fields than
 * their type, and customers must not see those.
 */
export function recordEvent<T extends EventType>(
  id: Id<'event'>,
  type: T,
  organizationId: string,
  createdAtMs: number,
  data: EventData[T],
): RecordedEvent {
  const problems = eventDefinition(type).problemsOf(data);
  if (problems.length > 0) throw new TypeError(`${type}: ${problems.join(', ')}`);
  const envelope: JsonValue = {
    id,
    type,
    created_at: new Date(createdAtMs).toISOString(),
    api_version: EVENT_API_VERSION,
    organization_id: organizationId,
    data: data as JsonValue,
  };
  return { id, type, organizationId, payload: canonicalJson(envelope) };
}

/**
 * When an event happened, in milliseconds since 1970. Its id does not tell: the id of what is reported once an hour has the
 * hour's beginning.
 * @param payload of `recordEvent`.
 */
export const happenedAtMs = (payload: string): number =>
  Date.parse((JSON.parse(payload) as { created_at: string }).created_at);
