import { List, Resource, type Call } from '@svc/platform/api';
import { eventTypes } from '@svc/events';
import { presentEventType } from './present-event-type';
import { webhookEventType } from './webhook-event-schema';

@Resource({
  path: 'webhook-events',
  one: 'WebhookEventType',
  many: 'WebhookEventTypes',
  tag: 'Webhook endpoints',
  description: 'What endpoints can be told of.',
})
export class WebhookEventsController {
  @List('', {
    summary: 'Every event that an endpoint can subscribe to, whole.',
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
