import { type EventType, happenedAtMs, matchesSubscription } from '@svc/events';
import { timeOfId } from '@svc/kernel';
import { type AddressedEvent, type DeliverableEvent, type SubscribedEndpoint } from '@svc/deliveries/store';

const DISABLED: EventType = 'webhook.endpoint_disabled';

/** Events, each with those that receive it of the endpoints of its organization. */
export function addressedEvents(
  events: readonly DeliverableEvent[],
  endpoints: readonly SubscribedEndpoint[],
): readonly AddressedEvent[] {
  const byOrganization = Map.groupBy(endpoints, ({ organizationId }) => organizationId);
  return events.map((event) => ({
    event,
    endpointIds: recipientsOf(event, byOrganization.get(event.organizationId) ?? []),
  }));
}

/**
 * The endpoints that receive an event: those that subscribe to it and existed when it happened. So an event that is read
 * again, however late, reaches no new endpoint. The event that an endpoint was disabled is not sent to that endpoint.
 */
export function recipientsOf(
  event: DeliverableEvent,
  endpoints: readonly Pick<SubscribedEndpoint, 'id' | 'eventTypes'>[],
): readonly string[] {
  const subscribed = endpoints.filter(({ eventTypes }) => matchesSubscription(eventTypes, event.type));
  if (subscribed.length === 0) return [];
  const atMs = happenedAtMs(event.payload);
  const disabledId = event.type === DISABLED ? endpointIn(event.payload) : null;
  return subscribed.map(({ id }) => id).filter((id) => timeOfId(id) <= atMs && id !== disabledId);
}

const endpointIn = (payload: string): string =>
  (JSON.parse(payload) as { data: { endpoint_id: string } }).data.endpoint_id;
