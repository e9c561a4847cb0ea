import { GatewayError } from '@svc/kernel';
import { z } from 'zod';

import { type Policy } from './policy';

const NAMES_MAX = 1000;
const ATTEMPTS_MAX = 10;

const nameList = z
  .array(z.string('must be a text').min(1, 'must not be empty'), 'must be a list')
  .max(NAMES_MAX);
const allowed = nameList.nullable().default(null);
const denied = nameList.default([]);
const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

const schema = z.strictObject(
  {
    allowed_providers: allowed,
    denied_providers: denied,
    allowed_regions: allowed,
    denied_regions: denied,
    allowed_models: allowed,
    denied_models: denied,
    require_zero_retention: z.boolean('must be true or false').default(false),
    sort: oneOf('price', 'latency', 'throughput').default('price'),
    max_attempts: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(ATTEMPTS_MAX, `must be at most ${String(ATTEMPTS_MAX)}`)
      .nullable()
      .default(null),
    credential_mode: oneOf('own_first', 'own_only', 'platform_only').default('own_first'),
    retention: oneOf('none', 'metadata', 'content').default('metadata'),
  },
  'must be an object',
);

/** A policy as it is read, written and stored (contract.md section 7). */
export type PolicyDocument = z.output<typeof schema>;

/**
 * A written policy with every field it leaves out at its default.
 * @throws GatewayError `invalidRequest`; `param` is the field's path (`denied_models[2]`).
 */
export function readPolicyDocument(written: unknown): PolicyDocument {
  const result = schema.safeParse(written);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const unknownField = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const param = pathOf([...(issue?.path ?? []), ...unknownField]);
  const problem = unknownField.length > 0 ? 'is no field of a policy' : (issue?.message ?? 'is not valid');
  if (param === '') throw new GatewayError('invalidRequest', 'A policy must be an object.');
  throw new GatewayError('invalidRequest', `The field \`${param}\` ${problem}.`, { param });
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
    sort: document.sort,
    maxAttempts: document.max_attempts,
    credentialMode: document.credential_mode,
    retention: document.retention,
  };
}

/** Of an organization that has never written one. */
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
