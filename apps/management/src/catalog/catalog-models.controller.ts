import { Get, List, Resource, type Call } from '@svc/platform/api';
import { catalogModel } from './catalog-model-schema';
import { CatalogModels } from './catalog-models';
import { presentCatalogModel } from './present-catalog-model';

const ids = { model_id: 'model' } as const;

@Resource({
  path: 'catalog/models',
  one: 'CatalogModel',
  many: 'CatalogModels',
  tag: 'Catalog',
  description:
    'The models and their prices, as the policy of the organization lets it see them. `GET /v1/models` lists those among them that there is a credential for.',
})
export class CatalogModelsController {
  constructor(private readonly models: CatalogModels) {}

  @List('', {
    summary: 'The models, in the order of the catalog. The list is always whole.',
    permission: 'catalog:read',
    scope: 'catalog:read',
    cursor: null,
    item: catalogModel,
  })
  async list({ caller }: Call) {
    const models = await this.models.list(caller);
    return { items: models.map(presentCatalogModel), hasMore: false };
  }

  @Get(':model_id', {
    summary: 'One model.',
    permission: 'catalog:read',
    scope: 'catalog:read',
    description: 'The slash in its id is written `%2F`.',
    ids,
    answer: catalogModel,
  })
  async get({ caller, ids }: Call<{ ids: 'model_id' }>) {
    return presentCatalogModel(await this.models.get(caller, ids.model_id));
  }
}
