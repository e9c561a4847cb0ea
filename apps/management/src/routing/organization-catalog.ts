import { Inject, Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { type Catalog } from '@svc/catalog';
import { TunedModelStore } from '@svc/fine-tuning/store';
import { tunedModelIn } from '@svc/policy';
import { CATALOG } from '../runtime';

/** The catalog as one organization sees it: with the models that it had trained. */
@Injectable()
export class OrganizationCatalog {
  constructor(
    private readonly tuned: TunedModelStore,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
  ) {}

  /** The organization’s own models come last, by their names. */
  async of({ organizationId }: Caller): Promise<Catalog> {
    const catalog = this.catalog();
    const own = (await this.tuned.activeFor(organizationId)).flatMap(
      (one) => tunedModelIn(catalog, one) ?? [],
    );
    if (own.length === 0) return catalog;
    return {
      ...catalog,
      models: new Map([...catalog.models, ...own.map((model) => [model.id, model] as const)]),
    };
  }
}
