import { OPERATIONS } from '@svc/protocol';
import { z } from 'zod';
import { rolloutsField } from '../rollouts/rollout-fields';
import { allowedIps } from './allowed-ips';
import { modelId, name, oneOf, whole } from '../fields/field-texts';

const NAMES_MAX = 1000;
const ATTEMPTS_MAX = 10;
/** The largest value of PostgreSQL's integer. */
const COUNT_MAX = 2_147_483_647;

const operation = z.enum(OPERATIONS, `must be one of ${OPERATIONS.join(', ')}`);

const listOf = <Entry extends z.ZodType<string>>(entry: Entry) =>
  z.array(entry, 'must be a list').max(NAMES_MAX, `must have at most ${String(NAMES_MAX)} entries`);
const allowed = <Entry extends z.ZodType<string>>(entry: Entry, what: string) =>
  listOf(entry)
    .nullable()
    .default(null)
    .meta({ description: `The only ${what}; null for all, empty for none.` });
const denied = <Entry extends z.ZodType<string>>(entry: Entry, what: string) =>
  listOf(entry)
    .default([])
    .meta({ description: `The ${what}, whether allowed or not.` });
const flag = (description: string) => z.boolean('must be true or false').default(false).meta({ description });
const least = (from: number, to: number, description: string, example: number) =>
  whole(from, to).nullable().default(null).meta({ description, example });

const retention = oneOf('none', 'metadata', 'content');

/** The fields that a policy has at each level. */
const everywhere = {
  allowed_providers: allowed(name, 'providers that may serve'),
  denied_providers: denied(name, 'providers that may not serve'),
  allowed_regions: allowed(name, 'regions that may serve'),
  denied_regions: denied(name, 'regions that may not serve'),
  allowed_models: allowed(modelId, 'models that may be called'),
  denied_models: denied(modelId, 'models that may not be called'),
  allowed_operations: allowed(operation, 'inference routes that may be called'),
  denied_operations: denied(operation, 'inference routes that may not be called'),
  require_zero_retention: flag('Only endpoints whose provider keeps nothing.'),
  require_end_user: flag('Only inference calls that name their end user.'),
  max_output_tokens: least(
    1,
    COUNT_MAX,
    'The most output tokens of a call; null for as many as its model has.',
    4_096,
  ),
  max_cost_nanos: least(
    0,
    Number.MAX_SAFE_INTEGER,
    'The most that a call may cost, in billionths of a US dollar; null for no limit.',
    50_000_000,
  ),
};

const endUserRates = {
  end_user_rate_limit_rpm: least(
    1,
    COUNT_MAX,
    'Requests per minute of each end user; null for no limit.',
    60,
  ),
  end_user_rate_limit_tpm: least(
    1,
    COUNT_MAX,
    'Estimated tokens per minute of each end user; null for no limit.',
    100_000,
  ),
};

const lowerRetention = retention.nullable().default(null).meta({
  description: 'What is kept of a call beside its books; null for what the levels above say.',
});

export const organizationFields = {
  ...everywhere,
  ...endUserRates,
  sort: oneOf('price', 'latency', 'throughput')
    .default('price')
    .meta({ description: 'What the eligible endpoints are ordered by.' }),
  max_attempts: whole(1, ATTEMPTS_MAX).nullable().default(null).meta({
    description: 'Provider attempts a call may make; null for as many as its plan has.',
    example: 3,
  }),
  credential_mode: oneOf('own_first', 'own_only', 'platform_only')
    .default('own_first')
    .meta({ description: 'Whose provider credentials calls are made with.' }),
  affinity: oneOf('auto', 'always', 'off').default('auto').meta({
    description:
      'Whether a conversation returns to the endpoint and credential that answered it last; `auto`: where the endpoint reads its cache for less than it takes for input.',
  }),
  retention: retention.default('metadata').meta({ description: 'What is kept of a call beside its books.' }),
  rollouts: rolloutsField,
};

export const projectFields = {
  ...everywhere,
  ...endUserRates,
  retention: lowerRetention,
  rate_limit_rpm: least(
    1,
    COUNT_MAX,
    'Requests per minute of the project’s calls together; null for no limit.',
    1_200,
  ),
  rate_limit_tpm: least(
    1,
    COUNT_MAX,
    'Estimated tokens per minute of the project’s calls together; null for no limit.',
    2_000_000,
  ),
};

export const keyFields = {
  ...everywhere,
  retention: lowerRetention,
  allowed_ips: allowedIps,
};
