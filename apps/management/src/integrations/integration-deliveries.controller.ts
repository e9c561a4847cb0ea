import { Inject } from '@nestjs/common';
import { Act, Get, List, Resource, type Call } from '@svc/api';
import { BASE_URL } from '../runtime';
import { filterOf } from '../webhook-deliveries/requested-deliveries';
import { deliveryFilters } from '../webhook-deliveries/webhook-delivery-schema';
import { IntegrationDeliveries } from './integration-deliveries';
import { integrationDelivery, presentIntegrationDelivery } from './integration-delivery-schema';

const ids = { integration_id: 'integration' } as const;
const idsOfOne = { ...ids, delivery_id: 'webhookDelivery' } as const;

@Resource({
  path: 'integrations/:integration_id/deliveries',
  one: 'IntegrationDelivery',
  many: 'IntegrationDeliveries',
  tag: 'Integrations',
  description: 'Channels, people and receivers of telemetry that are told what happens.',
})
export class IntegrationDeliveriesController {
  constructor(
    private readonly deliveries: IntegrationDeliveries,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  @List('', {
    summary: 'The deliveries to one integration, newest first.',
    description:
      'A page can hold fewer items than its limit, or none, while `has_more` is true: continue at `next_cursor`.',
    permission: 'integration:read',
    scope: null,
    ids,
    cursor: 'webhookDelivery',
    query: deliveryFilters,
    item: integrationDelivery,
  })
  async list({ caller, ids, page, query }: Call<{ ids: 'integration_id'; query: typeof deliveryFilters }>) {
    const { items, ...rest } = await this.deliveries.list(caller, ids.integration_id, page, filterOf(query));
    return { ...rest, items: items.map((item) => presentIntegrationDelivery(item, this.baseUrl)) };
  }

  @Get(':delivery_id', {
    summary: 'One delivery to one integration.',
    permission: 'integration:read',
    scope: null,
    ids: idsOfOne,
    answer: integrationDelivery,
  })
  async get({ caller, ids }: Call<{ ids: 'integration_id' | 'delivery_id' }>) {
    const found = await this.deliveries.get(caller, ids.integration_id, ids.delivery_id);
    return presentIntegrationDelivery(found, this.baseUrl);
  }

  @Act(':delivery_id/retry', {
    summary: 'Retries a delivery to one integration.',
    description:
      'Starts the full schedule again, whether the delivery succeeded, failed or is dead. It waits while the integration ' +
      'is paused. A queued delivery stays as it is.',
    permission: 'integration:write',
    scope: null,
    errors: ['conflict'],
    ids: idsOfOne,
    answer: integrationDelivery,
  })
  async retry({ caller, ids }: Call<{ ids: 'integration_id' | 'delivery_id' }>) {
    const retried = await this.deliveries.retry(caller, ids.integration_id, ids.delivery_id);
    return presentIntegrationDelivery(retried, this.baseUrl);
  }
}
