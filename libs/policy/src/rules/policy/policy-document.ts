import { GatewayError } from '@svc/kernel';
import { z } from 'zod';

import { type Policy } from './policy';

const NAMES_MAX = 1000;
const NAME_LENGTH_MAX = 200;
const ATTEMPTS_MAX = 10;

/** Any name that a catalog could have: a policy may name entries that the catalog does not list yet or any more. */
const name = z
  .string('must be a text')
  .min(1, 'must not be empty')
  .max(NAME_LENGTH_MAX, `must have at most ${String(NAME_LENGTH_MAX)} characters`)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line of text');
const modelId = name.regex(/^[^/\s]+\/\S+$/, 'must have the form <creator>/<model>');

const listOf = (entry: typeof name) =>
  z.array(entry, 'must be a list').max(NAMES_MAX, `must have at most ${String(NAMES_MAX)} entries`);
const allowed = (entry: typeof name, what: string) =>
  listOf(entry)
    .nullable()
    .default(null)
    .meta({ description: `The only ${what} that may serve; null for all, empty for none.` });
const denied = (entry: typeof name, what: string) =>
  listOf(entry)
    .default([])
    .meta({ description: `The ${what} that may not serve, whether allowed or not.` });
const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

/** The schema of a policy. An absent field gets its default. */
export const policyDocument = z.strictObject(
  {
    allowed_providers: allowed(name, 'providers'),
    denied_providers: denied(name, 'providers'),
    allowed_regions: allowed(name, 'regions'),
    denied_regions: denied(name, 'regions'),
    allowed_models: allowed(modelId, 'models'),
    denied_models: denied(modelId, 'models'),
    require_zero_retention: z
      .boolean('must be true or false')
      .default(false)
      .meta({ description: 'Only endpoints whose provider keeps nothing.' }),
    require_end_user: z
      .boolean('must be true or false')
      .default(false)
      .meta({ description: 'Only calls that name their end user.' }),
    sort: oneOf('price', 'latency', 'throughput')
      .default('price')
      .meta({ description: 'What the eligible endpoints are ordered by.' }),
    max_attempts: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(ATTEMPTS_MAX, `must be at most ${String(ATTEMPTS_MAX)}`)
      .nullable()
      .default(null)
      .meta({
        description: 'Provider attempts a call may make; null for as many as its plan has.',
        example: 3,
      }),
    credential_mode: oneOf('own_first', 'own_only', 'platform_only')
      .default('own_first')
      .meta({ description: 'Whose provider credentials calls are made with.' }),
    retention: oneOf('none', 'metadata', 'content')
      .default('metadata')
      .meta({ description: 'What is kept of a call beside its books.' }),
  },
  'must be an object',
);

/** A policy in the form of the API and the database (docs/reference/routing-policy.md#the-policy). */
export type PolicyDocument = z.output<typeof policyDocument>;

/**
 * Validates a policy and fills in the defaults of absent fields.
 * @throws GatewayError `invalidRequest`; `param` is the field's path (`denied_models[2]`).
 */
export function readPolicyDocument(written: unknown): PolicyDocument {
  const result = policyDocument.safeParse(written);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const unknownField = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const param = pathOf([...(issue?.path ?? []), ...unknownField]);
  const problem = unknownField.length > 0 ? 'is no field of a policy' : (issue?.message ?? 'is not valid');
  if (param === '') throw new GatewayError('invalidRequest', 'A policy must be an object.');
  throw new GatewayError('invalidRequest', `The field \`${param}\` ${problem}.`, { param });
}

/**
 * Reads a stored policy. Fields that are newer than it get their defaults.
 * @throws GatewayError `internal` for one that cannot be read.
 */
export function readStoredPolicy(document: unknown): PolicyDocument {
  try {
    return readPolicyDocument(document);
  } catch (cause) {
    throw new GatewayError('internal', 'The policy of your organization cannot be read.', { cause });
  }
}

export function policyOf(document: PolicyDocument): Policy {
  return {
    allowedProviders: setOf(document.allowed_providers),
    deniedProviders: new Set(document.denied_providers),
    allowedRegions: setOf(document.allowed_regions),
    deniedRegions: new Set(document.denied_regions),
    allowedModels: setOf(document.allowed_models),
    deniedModels: new Set(document.denied_models),
    requireZeroRetention: document.require_zero_retention,
    requireEndUser: document.require_end_user,
    sort: document.sort,
    maxAttempts: document.max_attempts,
    credentialMode: document.credential_mode,
    retention: document.retention,
  };
}

/** The policy of an organization that has set none. */
export const DEFAULT_POLICY_DOCUMENT: PolicyDocument = readPolicyDocument({});
export const DEFAULT_POLICY: Policy = policyOf(DEFAULT_POLICY_DOCUMENT);

function setOf(names: readonly string[] | null): ReadonlySet<string> | null {
  return names && new Set(names);
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${String(key)}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}
