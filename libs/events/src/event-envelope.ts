import { canonicalJson, type Id, type JsonValue } from '@svc/kernel';
import { type EventData, type EventType } from './catalogue';

/** Version of the envelope and of every event's `data` (interface.md, Event envelope). */
export const EVENT_API_VERSION = '2026-11-01';

/** A thing that happened, ready for the outbox: `payload` is the webhook body, byte for byte. */
export interface RecordedEvent {
  readonly id: Id<'event'>;
  readonly type: EventType;
  readonly organizationId: string;
  readonly payload: string;
}

/**
 * Serialises an event once, when it is recorded: keys sorted by code point, compact, UTF-8. These are the bytes
 * that are stored, signed and sent (contract.md section 8).
 */
export function recordEvent<T extends EventType>(
  id: Id<'event'>,
  type: T,
  organizationId: string,
  createdAtMs: number,
  data: EventData[T],
): RecordedEvent {
  const envelope: JsonValue = {
    id,
    type,
    created_at: new Date(createdAtMs).toISOString(),
    api_version: EVENT_API_VERSION,
    organization_id: organizationId,
    data,
  };
  return { id, type, organizationId, payload: canonicalJson(envelope) };
}
