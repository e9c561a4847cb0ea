import { type components } from '../../api/generated/management';

export type Policy = components['schemas']['Policy'];
export type PolicyVersion = components['schemas']['PolicyVersion'];
type Written = components['schemas']['NewPolicy'];

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
] as const;
export const valueFields = [
  'require_zero_retention',
  'require_end_user',
  'max_output_tokens',
  'max_cost_nanos',
  'end_user_rate_limit_rpm',
  'end_user_rate_limit_tpm',
  'sort',
  'max_attempts',
  'credential_mode',
  'retention',
] as const;
export type ListField = (typeof listFields)[number];
export type ValueField = (typeof valueFields)[number];
export type PolicyField = ListField | ValueField;

/** What is written of a policy: all of it, so that no field falls back to its default unseen. */
export type PolicyDocument = Required<Pick<Written, PolicyField>>;

/** The default, as version 0 (docs/reference/routing-policy.md). */
export const defaultDocument: PolicyDocument = {
  allowed_providers: null,
  denied_providers: [],
  allowed_regions: null,
  denied_regions: [],
  allowed_models: null,
  denied_models: [],
  allowed_operations: null,
  denied_operations: [],
  require_zero_retention: false,
  require_end_user: false,
  max_output_tokens: null,
  max_cost_nanos: null,
  end_user_rate_limit_rpm: null,
  end_user_rate_limit_tpm: null,
  sort: 'price',
  max_attempts: null,
  credential_mode: 'own_first',
  retention: 'metadata',
};

/** The fields of a policy that its next version can change, in their usual order. */
export const documentOf = (policy: PolicyDocument): PolicyDocument =>
  Object.fromEntries(
    [...listFields, ...valueFields].map((field) => [field, policy[field]]),
  ) as unknown as PolicyDocument;

/** The kinds of names that a policy allows and denies. */
export const subjects = ['providers', 'regions', 'models', 'operations'] as const;
export type Subject = (typeof subjects)[number];
export const allowedField = (subject: Subject) => `allowed_${subject}` as const;
export const deniedField = (subject: Subject) => `denied_${subject}` as const;
