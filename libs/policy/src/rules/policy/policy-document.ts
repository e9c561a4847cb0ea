import { GatewayError, nanos } from '@svc/kernel';
import { z } from 'zod';
import { NO_ROLLOUTS, rolloutOf } from '../rollouts/rollout';
import { type Policy, type PolicyRates, type RateLimits } from './policy';
import { keyFields, organizationFields, projectFields } from './policy-fields';
import { type PolicyLevel } from './policy-level';

const NOT_AN_OBJECT = 'must be an object';

/** The schema of an organization's policy. An absent field gets its default. */
export const policyDocument = z.strictObject(organizationFields, NOT_AN_OBJECT);
export const projectPolicyDocument = z.strictObject(projectFields, NOT_AN_OBJECT);
export const keyPolicyDocument = z.strictObject(keyFields, NOT_AN_OBJECT);

/** A policy in the form of the API and the database (docs/reference/routing-policy.md#the-policy). */
export type PolicyDocument = z.output<typeof policyDocument>;
export type ProjectPolicyDocument = z.output<typeof projectPolicyDocument>;
export type KeyPolicyDocument = z.output<typeof keyPolicyDocument>;

/** The document of each level. */
export interface DocumentOf {
  readonly organization: PolicyDocument;
  readonly project: ProjectPolicyDocument;
  readonly key: KeyPolicyDocument;
}
/** A document of any level: a field that its level does not take is absent. */
export type PolicyFields = Partial<
  Omit<PolicyDocument & ProjectPolicyDocument & KeyPolicyDocument, 'retention'>
> & { readonly retention?: PolicyDocument['retention'] | null };

const schemas: { readonly [Level in PolicyLevel]: z.ZodType<DocumentOf[Level]> } = {
  organization: policyDocument,
  project: projectPolicyDocument,
  key: keyPolicyDocument,
};

const ownerName: Readonly<Record<PolicyLevel, string>> = {
  organization: 'an organization',
  project: 'a project',
  key: 'a key',
};

/**
 * Validates an organization's policy and fills in the defaults of absent fields.
 * @throws GatewayError `invalidRequest`; `param` is the field's path (`denied_models[2]`).
 */
export const readPolicyDocument = (written: unknown): PolicyDocument =>
  readDocumentOf('organization', written);

/** As {@link readPolicyDocument}, of any level. A field that the level does not take is refused. */
export function readDocumentOf<Level extends PolicyLevel>(level: Level, written: unknown): DocumentOf[Level] {
  const result = schemas[level].safeParse(written);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const unknownField = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const param = pathOf([...(issue?.path ?? []), ...unknownField]);
  const problem =
    unknownField.length > 0
      ? `is no field of the policy of ${ownerName[level]}`
      : (issue?.message ?? 'is not valid');
  if (param === '') throw new GatewayError('invalidRequest', 'A policy must be an object.');
  throw new GatewayError('invalidRequest', `The field \`${param}\` ${problem}.`, { param });
}

/**
 * Reads a stored policy. Fields that are newer than it get their defaults.
 * @throws GatewayError `internal` for one that cannot be read.
 */
export const readStoredPolicy = (document: unknown): PolicyDocument =>
  readStoredDocument('organization', document);

/** As {@link readStoredPolicy}, of any level. */
export function readStoredDocument<Level extends PolicyLevel>(
  level: Level,
  document: unknown,
): DocumentOf[Level] {
  try {
    return readDocumentOf(level, document);
  } catch (cause) {
    throw new GatewayError('internal', `The policy of ${storedName[level]} cannot be read.`, { cause });
  }
}

const storedName: Readonly<Record<PolicyLevel, string>> = {
  organization: 'your organization',
  project: 'this project',
  key: 'this API key',
};

/**
 * A policy as it is stored: without the fields that the version before does not know, where they are at their defaults. While a
 * release is rolled out, that version reads what takes nothing away, and refuses calls rather than ignore a limit.
 */
export function storedDocument(document: PolicyDocument): Partial<PolicyDocument> {
  const entries = Object.entries(document).filter(
    ([field, value]) => !newFields.has(field) || !isDefault(field as keyof PolicyDocument, value),
  );
  return Object.fromEntries(entries);
}

const newFields: ReadonlySet<string> = new Set<keyof PolicyDocument>([
  'allowed_operations',
  'denied_operations',
  'require_end_user',
  'max_output_tokens',
  'max_cost_nanos',
  'end_user_rate_limit_rpm',
  'end_user_rate_limit_tpm',
  'affinity',
  'rollouts',
]);

const isDefault = (field: keyof PolicyDocument, value: unknown): boolean =>
  JSON.stringify(value) === JSON.stringify(DEFAULT_POLICY_DOCUMENT[field]);

/** The policy of one document. What a lower level leaves out takes nothing away. */
export function policyOf(document: PolicyFields): Policy {
  const { max_cost_nanos: maxCost = null } = document;
  return {
    allowedProviders: setOf(document.allowed_providers),
    deniedProviders: new Set(document.denied_providers),
    allowedRegions: setOf(document.allowed_regions),
    deniedRegions: new Set(document.denied_regions),
    allowedModels: setOf(document.allowed_models),
    deniedModels: new Set(document.denied_models),
    allowedOperations: setOf(document.allowed_operations),
    deniedOperations: new Set(document.denied_operations),
    requireZeroRetention: document.require_zero_retention ?? false,
    requireEndUser: document.require_end_user ?? false,
    maxOutputTokens: document.max_output_tokens ?? null,
    maxCost: maxCost === null ? null : nanos(maxCost),
    sort: document.sort ?? 'price',
    maxAttempts: document.max_attempts ?? null,
    credentialMode: document.credential_mode ?? 'own_first',
    affinity: document.affinity ?? 'auto',
    retention: document.retention ?? 'content',
    allowedIps: document.allowed_ips ?? null,
    rates: ratesOf({
      endUser: endUserRates(document),
      endUserInProject: null,
      project: projectRates(document),
    }),
    rollouts: document.rollouts?.map(rolloutOf) ?? NO_ROLLOUTS,
    levels: null,
  };
}

/** Null where none is set. */
export const endUserRates = (document: PolicyFields): RateLimits | null =>
  limits(document.end_user_rate_limit_rpm, document.end_user_rate_limit_tpm);
export const projectRates = (document: PolicyFields): RateLimits | null =>
  limits(document.rate_limit_rpm, document.rate_limit_tpm);

const limits = (rpm: number | null = null, tpm: number | null = null): RateLimits | null =>
  rpm === null && tpm === null ? null : { rpm, tpm };

export const ratesOf = (rates: PolicyRates): PolicyRates | null =>
  rates.endUser === null && rates.endUserInProject === null && rates.project === null ? null : rates;

/** The policy of an organization that has set none. */
export const DEFAULT_POLICY_DOCUMENT: PolicyDocument = readPolicyDocument({});
export const DEFAULT_POLICY: Policy = policyOf(DEFAULT_POLICY_DOCUMENT);
/** The policies of a project and a key that have set none. */
export const DEFAULT_PROJECT_POLICY_DOCUMENT: ProjectPolicyDocument = readDocumentOf('project', {});
export const DEFAULT_KEY_POLICY_DOCUMENT: KeyPolicyDocument = readDocumentOf('key', {});

function setOf<T extends string>(names: readonly T[] | null | undefined): ReadonlySet<T> | null {
  return names ? new Set(names) : null;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${String(key)}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}
