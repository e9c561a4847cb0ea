import { type components } from '../api/generated/management';
import { every } from '../browser/every';

type Schemas = components['schemas'];

/** The policy that a write takes, by level. */
interface WrittenPolicies {
  readonly organization: Schemas['NewPolicy'];
  readonly project: Schemas['NewProjectPolicy'];
  readonly key: Schemas['NewKeyPolicy'];
}
export type PolicyLevel = keyof WrittenPolicies;

/** From the top: each level only takes away from what those before it allow. */
export const policyLevels = every<PolicyLevel>()('organization', 'project', 'key');

/** Null in an allowed list allows everything, an empty one nothing. */
export const listFields = [
  'allowed_providers',
  'denied_providers',
  'allowed_regions',
  'denied_regions',
  'allowed_models',
  'denied_models',
  'allowed_operations',
  'denied_operations',
  'allowed_ips',
] as const;
export const valueFields = [
  'require_zero_retention',
  'require_end_user',
  'max_output_tokens',
  'max_cost_nanos',
  'end_user_rate_limit_rpm',
  'end_user_rate_limit_tpm',
  'rate_limit_rpm',
  'rate_limit_tpm',
  'sort',
  'max_attempts',
  'credential_mode',
  'affinity',
  'rollouts',
  'retention',
] as const;
export type ListField = (typeof listFields)[number];
export type ValueField = (typeof valueFields)[number];
export type PolicyField = ListField | ValueField;

type WrittenField = Schemas['NewPolicy'] &
  Pick<Schemas['NewProjectPolicy'], 'rate_limit_rpm' | 'rate_limit_tpm'> &
  Pick<Schemas['NewKeyPolicy'], 'allowed_ips'>;

/**
 * The fields of every level, so that one form, one difference and one JSON serve all of them. Those that a level does not take are at
 * their default, and are not written.
 */
export type PolicyDocument = Required<Pick<WrittenField, Exclude<PolicyField, 'retention'>>> & {
  /** Null, below the organization: as the levels above say. */
  retention: NonNullable<Schemas['NewPolicy']['retention']> | null;
};

interface Written {
  /** Null for the default. */
  readonly id: string | null;
  /** 0 for a policy that was never written. */
  readonly version: number;
  readonly created_by: string | null;
  readonly created_at: string | null;
}
export type Policy = Written & PolicyDocument;
export type PolicyVersion = Policy & { readonly id: string; readonly created_at: string };

/** The levels that take a field; all of them where none is named (docs/reference/routing-policy.md). */
const levelsOf: Readonly<Partial<Record<PolicyField, readonly PolicyLevel[]>>> = {
  end_user_rate_limit_rpm: ['organization', 'project'],
  end_user_rate_limit_tpm: ['organization', 'project'],
  rate_limit_rpm: ['project'],
  rate_limit_tpm: ['project'],
  allowed_ips: ['key'],
  sort: ['organization'],
  max_attempts: ['organization'],
  credential_mode: ['organization'],
  affinity: ['organization'],
  rollouts: ['organization'],
};

export const hasField = (level: PolicyLevel, field: PolicyField): boolean =>
  levelsOf[field]?.includes(level) ?? true;

/** Every field of every level, in the usual order. */
export const policyFields: readonly PolicyField[] = [...listFields, ...valueFields];
export const fieldsOf = (level: PolicyLevel): readonly PolicyField[] =>
  policyFields.filter((field) => hasField(level, field));

const defaults: PolicyDocument = {
  allowed_providers: null,
  denied_providers: [],
  allowed_regions: null,
  denied_regions: [],
  allowed_models: null,
  denied_models: [],
  allowed_operations: null,
  denied_operations: [],
  allowed_ips: null,
  require_zero_retention: false,
  require_end_user: false,
  max_output_tokens: null,
  max_cost_nanos: null,
  end_user_rate_limit_rpm: null,
  end_user_rate_limit_tpm: null,
  rate_limit_rpm: null,
  rate_limit_tpm: null,
  sort: 'price',
  max_attempts: null,
  credential_mode: 'own_first',
  affinity: 'auto',
  rollouts: [],
  retention: null,
};

/** The default, as version 0 (docs/reference/routing-policy.md). */
export const defaultOf = (level: PolicyLevel): PolicyDocument => ({
  ...defaults,
  retention: level === 'organization' ? 'metadata' : null,
});

/** The values of a policy: absent fields, and those that its level does not take, are at their default. */
export function documentOf(level: PolicyLevel, policy: Partial<PolicyDocument>): PolicyDocument {
  const given = fieldsOf(level).filter((field) => policy[field] !== undefined);
  return { ...defaultOf(level), ...(pick(policy, given) as Partial<PolicyDocument>) };
}

/** All that a write of the level takes, so that no field falls back to its default unseen. */
export const writtenOf = <Level extends PolicyLevel>(
  level: Level,
  document: PolicyDocument,
): WrittenPolicies[Level] => pick(document, fieldsOf(level)) as WrittenPolicies[Level];

/** A policy as the API answers it, with the fields of every level. */
export const policyOf = (level: PolicyLevel, answer: Written & Partial<PolicyDocument>): Policy => ({
  id: answer.id,
  version: answer.version,
  created_by: answer.created_by,
  created_at: answer.created_at,
  ...documentOf(level, answer),
});

const pick = (from: Partial<PolicyDocument>, fields: readonly PolicyField[]): object =>
  Object.fromEntries(fields.map((field) => [field, from[field]]));

/** The kinds of names that a policy allows and denies. */
export const subjects = ['providers', 'regions', 'models', 'operations'] as const;
export type Subject = (typeof subjects)[number];
export const allowedField = (subject: Subject) => `allowed_${subject}` as const;
export const deniedField = (subject: Subject) => `denied_${subject}` as const;
