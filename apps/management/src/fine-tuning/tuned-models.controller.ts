import { List, Remove, Resource, type Call } from '@svc/api';
import { presentTunedModel, tunedModel } from './tuned-model-schema';
import { TunedModels } from './tuned-models';

@Resource({
  path: 'fine-tuning/models',
  one: 'FineTunedModel',
  many: 'FineTunedModels',
  tag: 'Fine-tuning',
  description: 'The models that jobs made. Only calls of their organization can use them.',
})
export class TunedModelsController {
  constructor(private readonly models: TunedModels) {}

  @List('', {
    summary: 'The models, newest first.',
    description: 'A project’s key sees those that keys of its project made.',
    permission: 'fine_tuning:read',
    scope: null,
    cursor: 'model',
    item: tunedModel,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.models.list(caller, page);
    return { items: items.map(presentTunedModel), hasMore };
  }

  @Remove(':model_id', {
    summary: 'Deletes a model, also at its provider.',
    description: 'Calls cannot use it from then on. The slash in the model’s id is encoded as `%2F`.',
    permission: 'fine_tuning:write',
    scope: null,
    ids: { model_id: 'model' },
  })
  async remove({ caller, ids }: Call<{ ids: 'model_id' }>) {
    await this.models.remove(caller, ids.model_id);
  }
}
