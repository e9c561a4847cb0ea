import { parseExact, stringifyExact } from '../../api/exact-json';
import {
  defaultOf,
  fieldsOf,
  writtenOf,
  type PolicyDocument,
  type PolicyField,
  type PolicyLevel,
} from '../../policies/policy';

/** Why a text is no policy. The field is null where the text is no object of JSON at all. */
export interface JsonProblem {
  readonly field: string | null;
}
type ReadJson = { readonly document: PolicyDocument } | { readonly problem: JsonProblem };

export const jsonOf = (level: PolicyLevel, document: PolicyDocument): string =>
  stringifyExact(writtenOf(level, document), 2);

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');
const isNamesOrNull = (value: unknown): boolean => value === null || isNames(value);
const isCountOrNull = (value: unknown): boolean => value === null || Number.isSafeInteger(value);
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isOneOf =
  (...words: readonly unknown[]) =>
  (value: unknown): boolean =>
    words.includes(value);

/** The policies that the form can show. Bounds and lengths are the API's to check, in its own words. */
const checks: Readonly<Record<PolicyField, (value: unknown) => boolean>> = {
  allowed_providers: isNamesOrNull,
  denied_providers: isNames,
  allowed_regions: isNamesOrNull,
  denied_regions: isNames,
  allowed_models: isNamesOrNull,
  denied_models: isNames,
  allowed_operations: isNamesOrNull,
  denied_operations: isNames,
  allowed_ips: isNamesOrNull,
  require_zero_retention: isBoolean,
  require_end_user: isBoolean,
  max_output_tokens: isCountOrNull,
  max_cost_nanos: (value) => value === null || typeof value === 'bigint',
  end_user_rate_limit_rpm: isCountOrNull,
  end_user_rate_limit_tpm: isCountOrNull,
  rate_limit_rpm: isCountOrNull,
  rate_limit_tpm: isCountOrNull,
  sort: isOneOf('price', 'latency', 'throughput'),
  max_attempts: isCountOrNull,
  credential_mode: isOneOf('own_first', 'own_only', 'platform_only'),
  affinity: isOneOf('auto', 'always', 'off'),
  rollouts: Array.isArray,
  retention: isOneOf('none', 'metadata', 'content'),
};
const isRight = (level: PolicyLevel, field: PolicyField, value: unknown): boolean =>
  checks[field](value) || (field === 'retention' && level !== 'organization' && value === null);

/** Of a policy as it is read: a write ignores them, and so does this. */
const ignored: Readonly<Record<PolicyLevel, readonly string[]>> = {
  organization: [],
  project: ['project_id'],
  key: ['api_key_id'],
};
const ignoredOfAll = ['id', 'organization_id', 'version', 'created_by', 'created_at'];

/** A policy of the level as JSON. An absent field is at its default, as in a write. */
export function readPolicyJson(level: PolicyLevel, text: string): ReadJson {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: { field: null } };
  const isIgnored = (field: string) => ignoredOfAll.includes(field) || ignored[level].includes(field);
  const known: readonly string[] = fieldsOf(level);
  const fields = Object.entries(value).filter(([field]) => !isIgnored(field));
  const wrong = fields.find(
    ([field, of]) => !known.includes(field) || !isRight(level, field as PolicyField, of),
  );
  if (wrong !== undefined) return { problem: { field: wrong[0] } };
  return { document: { ...defaultOf(level), ...(Object.fromEntries(fields) as Partial<PolicyDocument>) } };
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return null;
  }
}
