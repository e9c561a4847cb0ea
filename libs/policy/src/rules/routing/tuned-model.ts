import {
  type Catalog,
  type FineTuningOffer,
  FREE_PRICES,
  type Model,
  type ModelEndpoint,
  type Prices,
} from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { type Operation } from '@svc/protocol';
import { allowsModel } from '../policy/policy';
import { modelNotFound } from './availability';
import { type OrganizationFacts } from './routing-facts';

/** A model that an organization had trained. */
export interface TunedModel {
  /** `ft-<8 letters>/<base>-<suffix or date>-<6 letters>` */
  readonly name: string;
  /** By its id in the catalog. */
  readonly baseModel: string;
  /** By its name in the catalog. */
  readonly provider: string;
  readonly region: string;
  /** The provider's name of it. */
  readonly upstreamModel: string;
  /** Whose credential it was trained with. */
  readonly credential: 'own' | 'platform';
  /** Its id; null for the platform's. */
  readonly credentialId: string | null;
  readonly createdAt: Date;
  /** The name in calls of the provider while machines of its own serve it; null while none do. */
  readonly servedAs: string | null;
}

/** Operations of any provider of chat completions, where the catalog has no endpoint of the base model there. */
const OPERATIONS: readonly Operation[] = ['chat_completions', 'messages'];
const TIMEOUTS = { firstByteMs: 60_000, idleMs: 60_000 };

/**
 * The model as calls are planned on it: with the limits of its base. It has no endpoint where nothing serves it.
 * @returns null where the catalog does not have its base model any more
 */
export function tunedModelIn(catalog: Catalog, tuned: TunedModel): Model | null {
  const base = catalog.models.get(tuned.baseModel);
  if (base === undefined) return null;
  const offer = catalog.fineTuning.find(
    ({ modelId, provider, region }) =>
      modelId === tuned.baseModel && provider.name === tuned.provider && region === tuned.region,
  );
  return {
    id: tuned.name,
    aliases: [],
    displayName: `${base.displayName} (fine-tuned)`,
    contextWindow: base.contextWindow,
    maxOutputTokens: base.maxOutputTokens,
    createdAtSeconds: Math.floor(tuned.createdAt.getTime() / 1_000),
    endpoints: offer === undefined ? [] : endpointsOf(tuned, base, offer),
    tunedFrom: tuned.baseModel,
  };
}

/** Whatever serves the model is one of these. */
function endpointsOf(tuned: TunedModel, base: Model, offer: FineTuningOffer): readonly ModelEndpoint[] {
  const { provider, region, dataRetention } = offer;
  const serving = servingOf(tuned, offer);
  if (serving === null) return [];
  const { upstreamModel, prices } = serving;
  const like = base.endpoints.find((one) => one.provider.name === provider.name && one.region === region);
  return [
    {
      id: [tuned.name, provider.name, region, upstreamModel].join('|'),
      modelId: tuned.name,
      tunedFrom: tuned.baseModel,
      provider,
      upstreamModel,
      region,
      dataRetention,
      operations: new Set([...OPERATIONS, ...(like?.operations ?? [])]),
      parameters: like?.parameters ?? null,
      ...(like?.extraParameters && { extraParameters: like.extraParameters }),
      usage: like?.usage ?? 'reported',
      prices,
      timeouts: like?.timeouts ?? TIMEOUTS,
      credential: tuned.credential,
      ...(tuned.credentialId !== null && { credentialId: tuned.credentialId }),
    },
  ];
}

/** Machines of its own are paid by the hour, and their tokens cost nothing. While they serve, calls go nowhere else. */
function servingOf(
  { servedAs, upstreamModel }: TunedModel,
  { inference }: FineTuningOffer,
): { readonly upstreamModel: string; readonly prices: Prices } | null {
  if (servedAs !== null) return { upstreamModel: servedAs, prices: FREE_PRICES };
  return inference === null ? null : { upstreamModel, prices: inference };
}

/** The catalog as calls to this model see it. */
export const catalogWith = (catalog: Catalog, model: Model): Catalog => ({
  ...catalog,
  models: new Map([[model.id, model]]),
  aliases: NO_ALIASES,
});

const NO_ALIASES: ReadonlyMap<string, string> = new Map();

/**
 * @throws GatewayError `noEligibleRoute` for a tuned model that nothing serves, with the way out; `notFound` where the
 * policy denies it
 */
export function requireServed({ id, endpoints, tunedFrom }: Model, { policy }: OrganizationFacts): void {
  if (tunedFrom === undefined || endpoints.length > 0) return;
  if (!allowsModel(policy, { modelId: id, tunedFrom })) throw modelNotFound({ modelId: id });
  throw new GatewayError(
    'noEligibleRoute',
    `The model \`${id}\` is served by an endpoint of its own only, and none is running. ` +
      'Start one: POST /api/v1/fine-tuning/endpoints/{id}/start.',
    { param: 'model' },
  );
}
