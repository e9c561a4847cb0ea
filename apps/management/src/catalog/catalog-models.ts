import { Inject, Injectable } from '@nestjs/common';
import { unknownCursor, unknownResource, type Caller } from '@svc/api';
import {
  allowsEndpoint,
  DEFAULT_POLICY,
  modelNamed,
  policyOf,
  readStoredPolicy,
  type Catalog,
  type Model,
  type ModelEndpoint,
  type Policy,
} from '@svc/inference';
import { type Page, type Slice } from '@svc/kernel';
import { PolicyStore } from '@svc/persistence';
import { CATALOG } from '../runtime';

/** A model with those of its endpoints that an organization's policy allows. */
export interface VisibleModel {
  readonly model: Model;
  readonly endpoints: readonly ModelEndpoint[];
}

/**
 * The catalog as an organization's policy shows it. It does not depend on the organization's credentials: users must
 * find here which providers they could get a credential for.
 */
@Injectable()
export class CatalogModels {
  constructor(
    private readonly policies: PolicyStore,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
  ) {}

  /**
   * In the order of the catalog.
   * @throws GatewayError `invalidRequest` for a page after a model that is not in the catalog.
   */
  async list(caller: Caller, { limit, before }: Page): Promise<Slice<VisibleModel>> {
    const policy = await this.policyOf(caller);
    const models = [...this.catalog().models.values()];
    const lastSeen = models.findIndex(({ id }) => id === before);
    if (before !== null && lastSeen === -1) throw unknownCursor();
    const rest = models.slice(lastSeen + 1).flatMap((model) => visible(model, policy) ?? []);
    return { items: rest.slice(0, limit), hasMore: rest.length > limit };
  }

  /** By id or alias. @throws GatewayError `notFound`, also for a model that the policy hides. */
  async get(caller: Caller, modelId: string): Promise<VisibleModel> {
    const policy = await this.policyOf(caller);
    const model = modelNamed(this.catalog(), modelId);
    const found = model && visible(model, policy);
    if (!found) throw unknownResource();
    return found;
  }

  private async policyOf({ organizationId }: Caller): Promise<Policy> {
    const current = await this.policies.current(organizationId);
    return current === null ? DEFAULT_POLICY : policyOf(readStoredPolicy(current.document));
  }
}

function visible(model: Model, policy: Policy): VisibleModel | null {
  const endpoints = model.endpoints.filter((endpoint) => allowsEndpoint(policy, endpoint));
  return endpoints.length === 0 ? null : { model, endpoints };
}
