import { type ModelEndpoint } from '../catalog/catalog';

/** What the eligible endpoints are ordered by; the catalog's order decides between equals. */
export type RouteOrder = 'price' | 'latency' | 'throughput';

/** Whose provider credentials calls are made with. */
export type CredentialMode = 'own_first' | 'own_only' | 'platform_only';

/** What is kept of a call beside its books. */
export type ContentRetention = 'none' | 'metadata' | 'content';

/**
 * An organization's routing and data policy (contract.md section 7). Of each pair of lists the denied one wins;
 * null allows all, an empty allowed list nothing (section 11). Models by id, providers and regions by name.
 */
export interface Policy {
  readonly allowedProviders: ReadonlySet<string> | null;
  readonly deniedProviders: ReadonlySet<string>;
  readonly allowedRegions: ReadonlySet<string> | null;
  readonly deniedRegions: ReadonlySet<string>;
  readonly allowedModels: ReadonlySet<string> | null;
  readonly deniedModels: ReadonlySet<string>;
  /** Only endpoints whose provider keeps nothing. */
  readonly requireZeroRetention: boolean;
  readonly sort: RouteOrder;
  /** Provider attempts a call may make; null for as many as its plan has. */
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
  { provider }: ModelEndpoint,
): boolean => isAllowed(provider.name, allowedProviders, deniedProviders);

export const allowsRegion = ({ allowedRegions, deniedRegions }: Policy, { region }: ModelEndpoint): boolean =>
  isAllowed(region, allowedRegions, deniedRegions);

export const allowsRetention = (
  { requireZeroRetention }: Policy,
  { dataRetention }: ModelEndpoint,
): boolean => !requireZeroRetention || dataRetention === 'zero';

/** Whether nothing in the policy itself is against the endpoint, whatever credentials there are. */
export const allowsEndpoint = (policy: Policy, endpoint: ModelEndpoint): boolean =>
  [allowsModel, allowsProvider, allowsRegion, allowsRetention].every((allows) => allows(policy, endpoint));

function isAllowed(name: string, allowed: ReadonlySet<string> | null, denied: ReadonlySet<string>): boolean {
  return (allowed === null || allowed.has(name)) && !denied.has(name);
}
