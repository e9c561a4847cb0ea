import { Act, Get, List, Resource, type Call } from '@svc/api';
import { WebhookDeliveryStore, WebhookEndpointStore } from '@svc/deliveries/store';
import { type Collection } from '../collection';
import { EndpointDeliveriesController } from './endpoint-deliveries.controller';
import { listDeliveries } from './requested-deliveries';
import { WebhookDeliveries } from './webhook-deliveries';
import {
  listedDelivery,
  organizationDeliveryQuery,
  presentWebhookDelivery,
  webhookDelivery,
} from './webhook-delivery-schema';

const ids = { delivery_id: 'webhookDelivery' } as const;

@Resource({
  path: 'webhook-endpoints/deliveries',
  scopedPath: 'webhooks/deliveries',
  one: 'WebhookDelivery',
  many: 'WebhookDeliveries',
  tag: 'Webhook deliveries',
  description: 'Deliveries of events: one for each event and endpoint, with all attempts.',
})
class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveries) {}

  @List('', {
    summary: 'The deliveries to all endpoints, newest first.',
    description:
      'A page can hold fewer items than its limit, or none, while `has_more` is true: continue at `next_cursor`.',
    permission: 'webhook:write',
    scope: null,
    cursor: 'webhookDelivery',
    query: organizationDeliveryQuery,
    item: listedDelivery,
  })
  list(call: Call<{ query: typeof organizationDeliveryQuery }>) {
    return listDeliveries(this.deliveries, call, call.query.endpoint_id);
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
    summary: 'Retries a delivery.',
    description:
      'Starts the full schedule again, with the same event and ids, whether the delivery succeeded, failed or is dead. ' +
      'It waits while the endpoint is paused. A queued delivery stays as it is.',
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

export const webhookDeliveries: Collection = {
  controllers: [WebhookDeliveriesController, EndpointDeliveriesController],
  services: [WebhookDeliveries],
  stores: [WebhookDeliveryStore, WebhookEndpointStore],
};
