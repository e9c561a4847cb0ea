import {
  allowsEndpoint,
  DEFAULT_POLICY,
  policyOf,
  readStoredPolicy,
  type Catalog,
  type Model,
  type ModelEndpoint,
  type Policy,
} from '@svc/inference';
import { type PolicyStore } from '@svc/persistence';
import { unknownResource, type Caller } from '@svc/platform/api';

/** A model with those of its endpoints that an organization's policy lets be called. */
export interface VisibleModel {
  readonly model: Model;
  readonly endpoints: readonly ModelEndpoint[];
}

/**
 * The catalog as an organization's policy lets it see it. Whatever credentials there are: who looks for a provider to
 * get a credential from must find it here.
 */
export class CatalogModels {
  constructor(
    private readonly policies: PolicyStore,
    private readonly catalog: () => Catalog,
  ) {}

  async list(caller: Caller): Promise<readonly VisibleModel[]> {
    const policy = await this.policyOf(caller);
    return [...this.catalog().models.values()].flatMap((model) => visible(model, policy) ?? []);
  }

  /** @throws GatewayError `notFound`, also for a model that the policy hides. */
  async get(caller: Caller, modelId: string): Promise<VisibleModel> {
    const policy = await this.policyOf(caller);
    const model = this.catalog().models.get(modelId);
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
