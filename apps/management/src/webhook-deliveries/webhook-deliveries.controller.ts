import { Act, Get, List, Resource, type Call } from '@svc/platform/api';
import { presentWebhookDelivery } from './present-webhook-delivery';
import { filterOf } from './requested-deliveries';
import { organizationDeliveryFilters, webhookDelivery } from './webhook-delivery-schema';
import { WebhookDeliveries } from './webhook-deliveries';

const ids = { delivery_id: 'webhookDelivery' } as const;

@Resource({
  path: 'webhook-endpoints/deliveries',
  scopedPath: 'webhooks/deliveries',
  one: 'WebhookDelivery',
  many: 'WebhookDeliveries',
  tag: 'Webhook deliveries',
  description: 'Events on their way to endpoints, one delivery an endpoint, with every attempt.',
})
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveries) {}

  @List('', {
    summary: 'The deliveries to all endpoints, newest first.',
    description:
      'With filters that few deliveries meet, a page can hold less than its limit, or nothing, while `has_more` is true: ' +
      'the search goes on at `next_cursor`.',
    permission: 'webhook:write',
    scope: null,
    cursor: 'webhookDelivery',
    query: organizationDeliveryFilters,
    item: webhookDelivery,
  })
  async list({ caller, page, query }: Call<{ query: typeof organizationDeliveryFilters }>) {
    const filter = { ...filterOf(query), endpointId: query.endpoint_id };
    const { items, ...rest } = await this.deliveries.list(caller, page, filter);
    return { ...rest, items: items.map(presentWebhookDelivery) };
  }

  @Get(':delivery_id', {
    summary: 'One delivery.',
    permission: 'webhook:write',
    scope: null,
    ids,
    answer: webhookDelivery,
  })
  async get({ caller, ids }: Call<{ ids: 'delivery_id' }>) {
    return presentWebhookDelivery(await this.deliveries.get(caller, ids.delivery_id));
  }

  @Act(':delivery_id/retry', {
    summary: 'Sends a delivery again.',
    description:
      'Whether it succeeded, failed or is dead: the full schedule starts again, with the same event and ids. To a paused ' +
      'endpoint it waits. One that is queued stays as it is; one to a deleted endpoint can not be retried.',
    permission: 'webhook:write',
    scope: null,
    errors: ['conflict'],
    ids,
    answer: webhookDelivery,
  })
  async retry({ caller, ids }: Call<{ ids: 'delivery_id' }>) {
    return presentWebhookDelivery(await this.deliveries.retry(caller, ids.delivery_id));
  }
}
