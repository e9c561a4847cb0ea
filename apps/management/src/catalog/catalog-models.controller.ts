import { Inject } from '@nestjs/common';
import { Get, List, Resource, type Call } from '@svc/api';
import { TunedModelStore } from '@svc/fine-tuning/store';
import { type OrganizationPriceStore } from '@svc/ledger/store';
import { PolicyStore, ProviderCredentialStore } from '@svc/policy/store';
import { EdgeFactsStore } from '@svc/usage/store';
import { type Collection } from '../collection';
import { CallerPolicies } from '../routing/caller-policies';
import { OrganizationCatalog } from '../routing/organization-catalog';
import { RoutingSource } from '../routing/routing-source';
import { PRICES } from '../runtime';
import { catalogModel, catalogQuery, presentCatalogModel } from './catalog-model-schema';
import { CatalogModels } from './catalog-models';

const ids = { model_id: 'model' } as const;

@Resource({
  path: 'catalog/models',
  one: 'CatalogModel',
  many: 'CatalogModels',
  tag: 'Catalog',
  description:
    'The models that the organization’s policy allows, with their prices, its own tuned models last. `GET /v1/models` lists ' +
    'only those that a credential exists for.',
})
class CatalogModelsController {
  constructor(
    private readonly models: CatalogModels,
    @Inject(PRICES) private readonly prices: OrganizationPriceStore,
  ) {}

  @List('', {
    summary: 'The models, in the order of the catalog.',
    permission: 'catalog:read',
    scope: 'catalog:read',
    cursor: 'model',
    query: catalogQuery,
    item: catalogModel,
  })
  async list({ caller, page, query }: Call<{ query: typeof catalogQuery }>) {
    const { items, hasMore } = await this.models.list(caller, page, query.include === 'unavailable');
    const { priceBps } = await this.prices.of(caller.organizationId);
    return { items: items.map((item) => presentCatalogModel(item, priceBps)), hasMore };
  }

  @Get(':model_id', {
    summary: 'One model.',
    permission: 'catalog:read',
    scope: 'catalog:read',
    description: 'The slash in the model’s id is encoded as `%2F`.',
    ids,
    query: catalogQuery,
    answer: catalogModel,
  })
  async get({ caller, ids, query }: Call<{ ids: 'model_id'; query: typeof catalogQuery }>) {
    const found = await this.models.get(caller, ids.model_id, query.include === 'unavailable');
    const { priceBps } = await this.prices.of(caller.organizationId);
    return presentCatalogModel(found, priceBps);
  }
}

export const catalogModels: Collection = {
  controllers: [CatalogModelsController],
  services: [CatalogModels, OrganizationCatalog, RoutingSource, CallerPolicies],
  stores: [PolicyStore, ProviderCredentialStore, EdgeFactsStore, TunedModelStore],
};
