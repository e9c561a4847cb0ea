import { GatewayError, type ErrorName } from '@svc/kernel';
import { type Operation } from '@svc/protocol';
import { denyingField, type JudgedPlace, type Policy, type PolicyOfLevel, type PolicyRule } from './policy';
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

/** The place and operation that rules of a policy look at. */
interface Judged extends JudgedPlace {
  readonly operation?: Operation | undefined;
}

/** The first level that leaves a place out by the rule, from the widest; null where none does. */
export function denialOf(rule: PolicyRule, policy: Policy, judged: Judged): PolicyDenial | null {
  for (const { level, policy: own } of levelsOf(policy)) {
    const field = denyingField[rule](own, judged);
    if (field !== null) return { level, field };
  }
  return null;
}

/** Who leaves out all of these places by the rule: the first level that does so alone, else all that leave out some. */
export function denialsOf(
  rule: PolicyRule,
  policy: Policy,
  places: readonly JudgedPlace[],
  operation?: Operation,
): readonly PolicyDenial[] {
  const all: PolicyDenial[] = [];
  for (const { level, policy: own } of levelsOf(policy)) {
    const fields = places.map((place) => denyingField[rule](own, { ...place, operation }));
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

/** The contribution of each level to a policy. */
export const levelsOf = (policy: Policy): readonly PolicyOfLevel[] =>
  policy.levels ?? [{ level: 'organization', policy }];
