import { Injectable } from '@nestjs/common';
import { unknownCursor, unknownResource, type Caller } from '@svc/api';
import { type Catalog, type FineTuningOffer, type Model, type ModelEndpoint, modelNamed } from '@svc/catalog';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import {
  allowsEndpoint,
  allowsModel,
  type CredentialSource,
  credentialSources,
  type Exclusion,
  isCallable,
  modelUnavailability,
  modelWithin,
  type Policy,
  unavailability,
} from '@svc/policy';
import { OrganizationCatalog } from '../routing/organization-catalog';
import { subjectOf } from '../routing/caller-policies';
import { RoutingSource, type OrganizationRouting } from '../routing/routing-source';

/** A model with those of its endpoints that are shown. */
export interface VisibleModel {
  readonly model: Model;
  /** Where it can be trained. */
  readonly offers: readonly FineTuningOffer[];
  readonly endpoints: readonly {
    readonly endpoint: ModelEndpoint;
    readonly standing?: EndpointStanding;
  }[];
  /** Why no call can use it. Absent where that was not asked for. */
  readonly reasons?: readonly Exclusion[];
}

/** True where the organization's calls can use an endpoint. */
export interface EndpointStanding {
  /** Why no call can. Empty where calls can. */
  readonly reasons: readonly Exclusion[];
  /** The first that a call uses. */
  readonly credential: CredentialSource;
  /** Of streams, else of plain calls. Null where no edge measured it. */
  readonly latencyMs: number | null;
}

/**
 * The catalog as the policy of the caller's own calls shows it. It does not depend on the organization's credentials: users must
 * find here which providers they could get a credential for.
 */
@Injectable()
export class CatalogModels {
  constructor(
    private readonly routing: RoutingSource,
    private readonly catalog: OrganizationCatalog,
  ) {}

  /**
   * In the order of the catalog.
   * @param withUnavailable shows what calls cannot use, too, and why.
   * @throws GatewayError `invalidRequest` for a page after a model that is not in the catalog; see {@link requirePolicy}.
   */
  async list(
    caller: Caller,
    { limit, before }: Page,
    withUnavailable: boolean,
  ): Promise<Slice<VisibleModel>> {
    const show = await this.viewOf(caller, withUnavailable);
    const catalog = await this.catalog.of(caller);
    const models = [...catalog.models.values()];
    const lastSeen = models.findIndex(({ id }) => id === before);
    if (before !== null && lastSeen === -1) throw unknownCursor();
    const items: VisibleModel[] = [];
    for (const model of models.slice(lastSeen + 1)) {
      const shown = show(model, catalog);
      if (shown !== null && items.push(shown) > limit) break;
    }
    return { items: items.slice(0, limit), hasMore: items.length > limit };
  }

  /** By id or alias. @throws GatewayError `notFound`, also for a model that is not shown; see {@link requirePolicy}. */
  async get(caller: Caller, modelId: string, withUnavailable: boolean): Promise<VisibleModel> {
    const show = await this.viewOf(caller, withUnavailable);
    const catalog = await this.catalog.of(caller);
    const model = modelNamed(catalog, modelId);
    const found = model && show(model, catalog);
    if (!found) throw unknownResource();
    return found;
  }

  private async viewOf(
    caller: Caller,
    withUnavailable: boolean,
  ): Promise<(model: Model, catalog: Catalog) => VisibleModel | null> {
    if (!withUnavailable) {
      const { policy } = await this.routing.policyOf(subjectOf(caller));
      return (model, catalog) => visible(model, catalog, policy);
    }
    requirePolicy(caller);
    const routing = await this.routing.of(subjectOf(caller));
    return (model, catalog) => explained(model, catalog, routing);
  }
}

/**
 * The list of what is not available tells of the policy.
 * @throws GatewayError `permissionDenied`, `insufficientScope`
 */
function requirePolicy({ permissions, scopes }: Caller): void {
  if (scopes !== null) {
    throw new GatewayError('insufficientScope', 'No OAuth scope opens models that are not available.', {
      param: 'include',
    });
  }
  if (permissions.has('policy:read')) return;
  throw new GatewayError('permissionDenied', 'This needs the permission policy:read.', { param: 'include' });
}

function visible(model: Model, catalog: Catalog, policy: Policy): VisibleModel | null {
  const endpoints = model.endpoints.filter(
    (endpoint) => isCallable(endpoint, policy) && allowsEndpoint(policy, endpoint),
  );
  // A tuned model is there before something serves it.
  const { id: modelId, tunedFrom } = model;
  const isWaiting = tunedFrom !== undefined && model.endpoints.length === 0;
  if (endpoints.length === 0 && !(isWaiting && allowsModel(policy, { modelId, tunedFrom }))) return null;
  const offers = offersOf(model, catalog).filter((offer) => allowsEndpoint(policy, offer));
  const shown = modelWithin(model, policy);
  return { model: shown, offers, endpoints: endpoints.map((endpoint) => ({ endpoint })) };
}

const offersOf = ({ id }: Model, { fineTuning }: Catalog): readonly FineTuningOffer[] =>
  fineTuning.filter(({ modelId }) => modelId === id);

function explained(model: Model, catalog: Catalog, routing: OrganizationRouting): VisibleModel {
  const facts = routing.availabilityFacts(routing.inForce);
  return {
    model: modelWithin(model, facts.policy),
    offers: offersOf(model, catalog),
    reasons: modelUnavailability(model, facts),
    endpoints: model.endpoints.map((endpoint) => ({
      endpoint,
      standing: {
        reasons: unavailability(endpoint, facts),
        credential: credentialSources(endpoint, facts)[0] ?? 'none',
        latencyMs:
          routing.figuresOf(endpoint, true).latencyMs ?? routing.figuresOf(endpoint, false).latencyMs,
      },
    })),
  };
}
