import { type EventType, matchesSubscription } from '@svc/events';
import { timeOfId } from '@svc/kernel';
import { type DeliverableEvent, type SubscribedEndpoint } from '@svc/persistence';

const DISABLED: EventType = 'webhook.endpoint_disabled';

/**
 * The endpoints that are told of an event: those that subscribe to it and were there when it happened, so that an event
 * that is read again, however late, reaches nobody new. That it was disabled an endpoint is not told itself.
 */
export function recipientsOf(
  event: DeliverableEvent,
  endpoints: readonly SubscribedEndpoint[],
): readonly string[] {
  const happenedAtMs = timeOfId(event.id);
  const concernedId = event.type === DISABLED ? endpointIn(event.payload) : null;
  return endpoints
    .filter(
      ({ id, eventTypes }) => matchesSubscription(eventTypes, event.type) && timeOfId(id) <= happenedAtMs,
    )
    .map(({ id }) => id)
    .filter((id) => id !== concernedId);
}

const endpointIn = (payload: string): string =>
  (JSON.parse(payload) as { data: { endpoint_id: string } }).data.endpoint_id;
