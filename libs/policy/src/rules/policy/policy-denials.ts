import { GatewayError, type ErrorName } from '@svc/kernel';
import { type Operation } from '@svc/protocol';
import { type ModelEndpoint } from '@svc/catalog';
import { type Policy, type PolicyOfLevel } from './policy';
import { levelName, type PolicyLevel } from './policy-level';

/** A field of a level's policy that leaves something out. */
interface PolicyDenial {
  readonly level: PolicyLevel;
  readonly field: string;
}

/** A call that a policy refuses. `denials` are for metrics: a message of 404 does not tell them. */
export class PolicyRefusal extends GatewayError {
  constructor(
    reason: ErrorName,
    message: string,
    readonly denials: readonly PolicyDenial[],
    details: { readonly param: string },
  ) {
    super(reason, message, details);
  }
}

/** What rules of a policy look at. */
type DeniedPlace = Pick<ModelEndpoint, 'modelId' | 'tunedFrom' | 'provider' | 'region' | 'dataRetention'>;
export type PolicyRule = 'model' | 'operation' | 'provider' | 'region' | 'data_retention';

interface Subject {
  readonly place: DeniedPlace;
  readonly operation?: Operation;
}

/** The field of one policy by which a rule leaves a place out; null where it does not. */
const denyingField: Readonly<Record<PolicyRule, (policy: Policy, subject: Subject) => string | null>> = {
  model: ({ allowedModels, deniedModels }, { place: { modelId, tunedFrom } }) =>
    tunedFrom !== undefined && deniedModels.has(tunedFrom)
      ? 'denied_models'
      : inLists(modelId, allowedModels, deniedModels, 'models'),
  operation: ({ allowedOperations, deniedOperations }, { operation }) =>
    operation === undefined ? null : inLists(operation, allowedOperations, deniedOperations, 'operations'),
  provider: ({ allowedProviders, deniedProviders }, { place }) =>
    inLists(place.provider.name, allowedProviders, deniedProviders, 'providers'),
  region: ({ allowedRegions, deniedRegions }, { place }) =>
    inLists(place.region, allowedRegions, deniedRegions, 'regions'),
  data_retention: ({ requireZeroRetention }, { place }) =>
    requireZeroRetention && place.dataRetention !== 'zero' ? 'require_zero_retention' : null,
};

function inLists<T extends string>(
  name: T,
  allowed: ReadonlySet<T> | null,
  denied: ReadonlySet<T>,
  what: string,
): string | null {
  if (denied.has(name)) return `denied_${what}`;
  return allowed === null || allowed.has(name) ? null : `allowed_${what}`;
}

/** The first level that leaves a place out by the rule, from the widest; null where none does. */
export function denialOf(rule: PolicyRule, policy: Policy, subject: Subject): PolicyDenial | null {
  for (const { level, policy: own } of levelsOf(policy)) {
    const field = denyingField[rule](own, subject);
    if (field !== null) return { level, field };
  }
  return null;
}

/** Who leaves out all of these places by the rule: the first level that does so alone, else all that leave out some. */
export function denialsOf(
  rule: PolicyRule,
  policy: Policy,
  places: readonly DeniedPlace[],
  operation?: Operation,
): readonly PolicyDenial[] {
  const all: PolicyDenial[] = [];
  for (const { level, policy: own } of levelsOf(policy)) {
    const fields = places.map((place) => denyingField[rule](own, { place, ...(operation && { operation }) }));
    const named = [...new Set(fields)].flatMap((field) => (field === null ? [] : { level, field }));
    if (named.length > 0 && !fields.includes(null)) return named;
    all.push(...named);
  }
  return all;
}

/** The levels that hold the smallest value of a number. */
export const holdersOf = (
  policy: Policy,
  field: string,
  valueOf: (policy: Policy) => number | bigint | null,
): readonly PolicyDenial[] =>
  levelsOf(policy)
    .filter(({ policy: own }) => valueOf(own) !== null && valueOf(own) === valueOf(policy))
    .map(({ level }) => ({ level, field }));

/** `denied_regions` of the project and `allowed_regions` of the API key. */
export const denialText = (denials: readonly PolicyDenial[]): string =>
  denials.map(({ level, field }) => `\`${field}\` of the policy of ${levelName[level]}`).join(' and ');

/** What each level contributes to a policy. */
export const levelsOf = (policy: Policy): readonly PolicyOfLevel[] =>
  policy.levels ?? [{ level: 'organization', policy }];
