import { type Catalog, type Model } from '@svc/catalog';
import { isTunedModelName } from '@svc/fine-tuning';
import { type Change } from '@svc/database';
import { catalogWith, type TunedModel, tunedModelIn } from '@svc/policy';
import { LookupCache } from '../changes/lookup-cache';

const ORGANIZATIONS_MAX = 10_000;

type FindModels = (organizationId: string) => Promise<readonly TunedModel[]>;

/** The models that organizations had trained, as the catalog of their calls. Others don't see them. */
export class TunedModels {
  private readonly cache = new LookupCache<ReadonlyMap<string, TunedModel>>(ORGANIZATIONS_MAX);

  constructor(private readonly findModels: FindModels) {}

  /**
   * The catalog of a call of this model. A call of any other model costs one look at its name.
   * @throws GatewayError `overloaded` where the models cannot be looked up
   */
  catalogFor(modelId: string, organizationId: string, catalog: Catalog): Catalog | Promise<Catalog> {
    if (!isTunedModelName(modelId)) return catalog;
    const known = this.of(organizationId);
    const among = (models: ReadonlyMap<string, TunedModel>): Catalog => {
      const tuned = models.get(modelId);
      const model = tuned && tunedModelIn(catalog, tuned);
      return model ? catalogWith(catalog, model) : catalog;
    };
    return known instanceof Promise ? known.then(among) : among(known);
  }

  /** All models of an organization, by their names. */
  async modelsOf(organizationId: string, catalog: Catalog): Promise<readonly Model[]> {
    const models = [...(await this.of(organizationId)).values()];
    return models.flatMap((tuned) => tunedModelIn(catalog, tuned) ?? []);
  }

  invalidate(change: Change): void {
    if (change.of === 'anything') this.cache.invalidateAll();
    else if (change.of === 'tunedModels') this.cache.invalidate(change.organizationId);
  }

  private of(organizationId: string) {
    return this.cache.get(organizationId, async () => {
      const models = await this.findModels(organizationId);
      return new Map(models.map((model) => [model.name, model]));
    });
  }
}
