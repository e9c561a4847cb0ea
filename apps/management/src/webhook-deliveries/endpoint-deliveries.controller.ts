import { Act, ActWith, Get, List, Resource, type Call } from '@svc/api';
import { BULK_RETRY_MAX } from '@svc/deliveries/store';
import { listDeliveries } from './requested-deliveries';
import {
  bulkRetry,
  bulkRetryResult,
  deliveryQuery,
  listedDelivery,
  presentWebhookDelivery,
  webhookDelivery,
} from './webhook-delivery-schema';
import { WebhookDeliveries } from './webhook-deliveries';

const ids = { endpoint_id: 'webhookEndpoint' } as const;
const idsOfOne = { ...ids, delivery_id: 'webhookDelivery' } as const;

@Resource({
  path: 'webhook-endpoints/:endpoint_id/deliveries',
  scopedPath: 'webhooks/:endpoint_id/deliveries',
  one: 'EndpointDelivery',
  many: 'EndpointDeliveries',
  tag: 'Webhook deliveries',
  description: 'Deliveries of events: one for each event and endpoint, with all attempts.',
})
export class EndpointDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveries) {}

  @List('', {
    summary: 'The deliveries to one endpoint, newest first.',
    description:
      'A page can hold fewer items than its limit, or none, while `has_more` is true: continue at `next_cursor`.',
    permission: 'webhook:write',
    scope: null,
    ids,
    cursor: 'webhookDelivery',
    query: deliveryQuery,
    item: listedDelivery,
  })
  async list(call: Call<{ ids: 'endpoint_id'; query: typeof deliveryQuery }>) {
    await this.deliveries.requireEndpoint(call.caller, call.ids.endpoint_id);
    return listDeliveries(this.deliveries, call, call.ids.endpoint_id);
  }

  @ActWith('retry', {
    summary: 'Retries many deliveries to one endpoint.',
    description: `Retries the oldest first, ${String(BULK_RETRY_MAX)} at most. If \`count\` is that many, there may be more.`,
    permission: 'webhook:write',
    scope: null,
    operation: 'retryEndpointDeliveries',
    ids,
    body: bulkRetry,
    answer: bulkRetryResult,
  })
  async retryMany({ caller, ids, body }: Call<{ ids: 'endpoint_id'; body: typeof bulkRetry }>) {
    const { status, since, until } = body;
    const which = { status, createdAfter: since, createdBefore: until };
    return { count: await this.deliveries.retryMany(caller, ids.endpoint_id, which) };
  }

  @Get(':delivery_id', {
    summary: 'One delivery to one endpoint.',
    permission: 'webhook:write',
    scope: null,
    ids: idsOfOne,
    answer: webhookDelivery,
  })
  async get({ caller, ids }: Call<{ ids: 'endpoint_id' | 'delivery_id' }>) {
    return presentWebhookDelivery(await this.deliveries.get(caller, ids.delivery_id, ids.endpoint_id));
  }

  @Act(':delivery_id/retry', {
    summary: 'Retries a delivery to one endpoint.',
    description: 'Does the same as `retryWebhookDelivery`.',
    permission: 'webhook:write',
    scope: null,
    errors: ['conflict'],
    ids: idsOfOne,
    answer: webhookDelivery,
  })
  async retry({ caller, ids }: Call<{ ids: 'endpoint_id' | 'delivery_id' }>) {
    return presentWebhookDelivery(await this.deliveries.retry(caller, ids.delivery_id, ids.endpoint_id));
  }
}
