import { List, Resource, type Call } from '@svc/api';
import { eventTypes } from '@svc/events';
import { type Collection } from '../collection';
import { presentEventType, webhookEventType } from './webhook-event-schema';

@Resource({
  path: 'webhook-events',
  one: 'WebhookEventType',
  many: 'WebhookEventTypes',
  tag: 'Webhook endpoints',
  description: 'Events that endpoints can subscribe to.',
})
class WebhookEventsController {
  @List('', {
    summary: 'Every event that an endpoint can subscribe to, on one page.',
    description: 'Each `type` is a valid entry of `event_types`; so is `<noun>.*` for the first word of one.',
    permission: 'webhook:write',
    scope: null,
    cursor: null,
    item: webhookEventType,
  })
  list({ caller }: Call) {
    const items = eventTypes.map((type) => presentEventType(type, caller.organizationId));
    return Promise.resolve({ items, hasMore: false });
  }
}

export const webhookEvents: Collection = {
  controllers: [WebhookEventsController],
  services: [],
  stores: [],
};
