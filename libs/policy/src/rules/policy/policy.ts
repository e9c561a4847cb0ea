import { type ModelEndpoint } from '@svc/catalog';
import { type Nanos } from '@svc/kernel';
import { type Operation } from '@svc/protocol';
import { type Rollout } from '../rollouts/rollout';
import { type PolicyLevel } from './policy-level';

/** The order of the eligible endpoints. Equal ones keep the catalog's order. */
export type RouteOrder = 'price' | 'latency' | 'throughput';

/** Whose provider credentials calls are made with. */
type CredentialMode = 'own_first' | 'own_only' | 'platform_only';

/** Where a conversation returns to the endpoint and credential that answered it last. `auto`: where the prompt cache is cheaper. */
type Affinity = 'auto' | 'always' | 'off';

/** The content of a call that is stored beside its accounting. */
type ContentRetention = 'none' | 'metadata' | 'content';

/** Requests and estimated tokens per minute; null for no limit. */
export interface RateLimits {
  readonly rpm: number | null;
  readonly tpm: number | null;
}

/** The rates of a policy beside those of the key and the organization; null for no limit. */
export interface PolicyRates {
  /** Of each end user, by the organization's policy. */
  readonly endUser: RateLimits | null;
  /** Of each end user in the project, by the project's policy. */
  readonly endUserInProject: RateLimits | null;
  /** Of the project. */
  readonly project: RateLimits | null;
}

/** The contribution of one level to a compiled policy. */
export interface PolicyOfLevel {
  readonly level: PolicyLevel;
  readonly policy: Policy;
}

/**
 * The routing and data policy of a call (docs/reference/routing-policy.md#the-policy): that of its organization, met with those of
 * its project and key. The denied list wins over the allowed one. Null allows all, an empty allowed list nothing. Models are listed
 * by id, providers and regions by name.
 */
export interface Policy {
  readonly allowedProviders: ReadonlySet<string> | null;
  readonly deniedProviders: ReadonlySet<string>;
  readonly allowedRegions: ReadonlySet<string> | null;
  readonly deniedRegions: ReadonlySet<string>;
  readonly allowedModels: ReadonlySet<string> | null;
  readonly deniedModels: ReadonlySet<string>;
  readonly allowedOperations: ReadonlySet<Operation> | null;
  readonly deniedOperations: ReadonlySet<Operation>;
  /** Only endpoints whose provider retains no data. */
  readonly requireZeroRetention: boolean;
  /** Only inference calls that name their end user. */
  readonly requireEndUser: boolean;
  /** Of a call, for each of its choices. Null for as many as the model has. */
  readonly maxOutputTokens: number | null;
  /** The most that one call may cost. Null for no limit. */
  readonly maxCost: Nanos | null;
  readonly sort: RouteOrder;
  /** The most provider attempts of a call. Null for as many as its plan has. */
  readonly maxAttempts: number | null;
  readonly credentialMode: CredentialMode;
  readonly affinity: Affinity;
  readonly retention: ContentRetention;
  /** Of the key. Null for all addresses. */
  readonly allowedIps: readonly string[] | null;
  /** Null where no level sets any. */
  readonly rates: PolicyRates | null;
  /** Of the organization, in the order in which they take calls. Some may have ended. */
  readonly rollouts: readonly Rollout[];
  /** The contribution of each level, from the widest. Null for an organization's own policy, which nothing narrows. */
  readonly levels: readonly PolicyOfLevel[] | null;
}

/** Where a model is served, or trained. */
export type JudgedPlace = Pick<
  ModelEndpoint,
  'modelId' | 'tunedFrom' | 'provider' | 'region' | 'dataRetention'
>;

interface JudgedModel {
  readonly modelId: string;
  /** The base model of a tuned one. */
  readonly tunedFrom?: string | undefined;
}

/** The field of one policy by which a rule leaves a place or an operation out; null where it does not. */
export const denyingField = {
  /**
   * A tuned model is named in an allowed list itself. Who denies its base denies it too: it is the base's weights still, and no list
   * can name what is trained later.
   */
  model: ({ allowedModels, deniedModels }: Policy, { modelId, tunedFrom }: JudgedModel) =>
    tunedFrom !== undefined && deniedModels.has(tunedFrom)
      ? 'denied_models'
      : inLists(modelId, allowedModels, deniedModels, 'models'),
  operation: (policy: Policy, { operation }: { readonly operation?: Operation | undefined }) =>
    operation === undefined ? null : operationDeniedBy(policy, operation),
  provider: ({ allowedProviders, deniedProviders }: Policy, { provider }: Pick<JudgedPlace, 'provider'>) =>
    inLists(provider.name, allowedProviders, deniedProviders, 'providers'),
  region: ({ allowedRegions, deniedRegions }: Policy, { region }: Pick<JudgedPlace, 'region'>) =>
    inLists(region, allowedRegions, deniedRegions, 'regions'),
  data_retention: (
    { requireZeroRetention }: Policy,
    { dataRetention }: Pick<JudgedPlace, 'dataRetention'>,
  ) => (requireZeroRetention && dataRetention !== 'zero' ? 'require_zero_retention' : null),
};

export type PolicyRule = keyof typeof denyingField;

export const allowsModel = (policy: Policy, model: JudgedModel): boolean =>
  denyingField.model(policy, model) === null;

export const allowsOperation = (policy: Policy, operation: Operation): boolean =>
  operationDeniedBy(policy, operation) === null;

const operationDeniedBy = ({ allowedOperations, deniedOperations }: Policy, operation: Operation) =>
  inLists(operation, allowedOperations, deniedOperations, 'operations');

const RULES_OF_PLACES = ['model', 'provider', 'region', 'data_retention'] as const;

/** True where the policy allows the endpoint, regardless of credentials. */
export const allowsEndpoint = (policy: Policy, endpoint: JudgedPlace): boolean =>
  RULES_OF_PLACES.every((rule) => denyingField[rule](policy, endpoint) === null);

function inLists<T extends string>(
  name: T,
  allowed: ReadonlySet<T> | null,
  denied: ReadonlySet<T>,
  what: string,
): string | null {
  if (denied.has(name)) return `denied_${what}`;
  return allowed === null || allowed.has(name) ? null : `allowed_${what}`;
}
