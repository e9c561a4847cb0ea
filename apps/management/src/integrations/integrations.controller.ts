import { Inject } from '@nestjs/common';
import { Act, Change, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { MemberStore } from '@svc/access/store';
import { IntegrationDeliveryStore, IntegrationStore } from '@svc/deliveries/store';
import { type Collection } from '../collection';
import { BASE_URL } from '../runtime';
import { Configurations } from './configurations';
import { IntegrationDeliveries } from './integration-deliveries';
import { IntegrationDeliveriesController } from './integration-deliveries.controller';
import { integrationDelivery, presentIntegrationDelivery } from './integration-delivery-schema';
import {
  integration,
  integrationChange,
  integrationFilters,
  INTEGRATIONS_MAX,
  newIntegration,
  presentIntegration,
} from './integration-schema';
import { Integrations } from './integrations';

const ids = { integration_id: 'integration' } as const;

@Resource({
  path: 'integrations',
  one: 'Integration',
  many: 'Integrations',
  tag: 'Integrations',
  description: 'Channels, people and receivers of telemetry that are told what happens.',
})
class IntegrationsController {
  constructor(
    private readonly integrations: Integrations,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  @List('', {
    summary: 'The integrations, newest first.',
    permission: 'integration:read',
    scope: null,
    cursor: 'integration',
    query: integrationFilters,
    item: integration,
  })
  async list({ caller, page, query }: Call<{ query: typeof integrationFilters }>) {
    const { items, hasMore } = await this.integrations.list(caller, page, query);
    return { items: items.map(presentIntegration), hasMore };
  }

  @Get(':integration_id', {
    summary: 'One integration.',
    permission: 'integration:read',
    scope: null,
    ids,
    answer: integration,
  })
  async get({ caller, ids }: Call<{ ids: 'integration_id' }>) {
    return presentIntegration(await this.integrations.get(caller, ids.integration_id));
  }

  @Create('', {
    summary: 'Creates an integration.',
    description: `No answer shows its secrets. An organization can have ${String(INTEGRATIONS_MAX)} integrations.`,
    permission: 'integration:write',
    scope: null,
    approval: 'integration.create',
    errors: ['urlNotAllowed', 'unknownEventType', 'conflict'],
    body: newIntegration,
    answer: integration,
  })
  async create({ caller, body }: Call<{ body: typeof newIntegration }>) {
    return presentIntegration(await this.integrations.create(caller, body));
  }

  @Change(':integration_id', {
    summary: 'Changes, pauses or enables an integration.',
    description: 'Applies from the next attempt on, also to queued deliveries.',
    permission: 'integration:write',
    scope: null,
    approval: 'integration.update',
    errors: ['urlNotAllowed', 'unknownEventType'],
    ids,
    body: integrationChange,
    answer: integration,
  })
  async change({ caller, ids, body }: Call<{ ids: 'integration_id'; body: typeof integrationChange }>) {
    return presentIntegration(await this.integrations.change(caller, ids.integration_id, body));
  }

  @Remove(':integration_id', {
    summary: 'Deletes an integration.',
    description:
      'It gets nothing more, its waiting deliveries become `dead`, and alert rules no longer name it. A rule that watches ' +
      'it is disabled.',
    permission: 'integration:write',
    scope: null,
    approval: 'integration.delete',
    ids,
  })
  async delete({ caller, ids }: Call<{ ids: 'integration_id' }>) {
    await this.integrations.delete(caller, ids.integration_id);
  }

  @Act(':integration_id/test', {
    summary: 'Sends a test to an integration.',
    description:
      'Queues an `integration.test` for this integration alone, also if it is paused or disabled; for `otlp`, one span ' +
      '`svc.test`. A failed test does not count as a failure of the integration.',
    permission: 'integration:write',
    scope: null,
    operation: 'testIntegration',
    ids,
    answer: integrationDelivery,
  })
  async test({ caller, ids }: Call<{ ids: 'integration_id' }>) {
    const queued = await this.integrations.test(caller, ids.integration_id);
    return presentIntegrationDelivery(queued, this.baseUrl);
  }
}

export const integrations: Collection = {
  controllers: [IntegrationsController, IntegrationDeliveriesController],
  services: [Integrations, IntegrationDeliveries, Configurations],
  stores: [IntegrationStore, IntegrationDeliveryStore, MemberStore],
};
