import { type ModelEndpoint } from '@svc/catalog';

/** The order of the eligible endpoints. Equal ones keep the catalog's order. */
export type RouteOrder = 'price' | 'latency' | 'throughput';

/** Whose provider credentials calls are made with. */
type CredentialMode = 'own_first' | 'own_only' | 'platform_only';

/** What is stored of a call beside its accounting. */
type ContentRetention = 'none' | 'metadata' | 'content';

/**
 * An organization's routing and data policy (docs/reference/routing-policy.md#the-policy). The denied list wins over
 * the allowed one. Null allows all, an empty allowed list nothing. Models are listed by id, providers and regions by
 * name.
 */
export interface Policy {
  readonly allowedProviders: ReadonlySet<string> | null;
  readonly deniedProviders: ReadonlySet<string>;
  readonly allowedRegions: ReadonlySet<string> | null;
  readonly deniedRegions: ReadonlySet<string>;
  readonly allowedModels: ReadonlySet<string> | null;
  readonly deniedModels: ReadonlySet<string>;
  /** Only endpoints whose provider retains no data. */
  readonly requireZeroRetention: boolean;
  /** Only calls that name their end user (docs/end-users.md). */
  readonly requireEndUser: boolean;
  readonly sort: RouteOrder;
  /** The most provider attempts of a call. Null for as many as its plan has. */
  readonly maxAttempts: number | null;
  readonly credentialMode: CredentialMode;
  readonly retention: ContentRetention;
}

export const allowsModel = (
  { allowedModels, deniedModels }: Policy,
  { modelId }: Pick<ModelEndpoint, 'modelId'>,
): boolean => isAllowed(modelId, allowedModels, deniedModels);

export const allowsProvider = (
  { allowedProviders, deniedProviders }: Policy,
  { provider }: Pick<ModelEndpoint, 'provider'>,
): boolean => isAllowed(provider.name, allowedProviders, deniedProviders);

export const allowsRegion = (
  { allowedRegions, deniedRegions }: Policy,
  { region }: Pick<ModelEndpoint, 'region'>,
): boolean => isAllowed(region, allowedRegions, deniedRegions);

export const allowsRetention = (
  { requireZeroRetention }: Policy,
  { dataRetention }: Pick<ModelEndpoint, 'dataRetention'>,
): boolean => !requireZeroRetention || dataRetention === 'zero';

/** Whether the policy allows the endpoint, regardless of credentials. */
export const allowsEndpoint = (
  policy: Policy,
  endpoint: Pick<ModelEndpoint, 'modelId' | 'provider' | 'region' | 'dataRetention'>,
): boolean =>
  [allowsModel, allowsProvider, allowsRegion, allowsRetention].every((allows) => allows(policy, endpoint));

function isAllowed(name: string, allowed: ReadonlySet<string> | null, denied: ReadonlySet<string>): boolean {
  return (allowed === null || allowed.has(name)) && !denied.has(name);
}
