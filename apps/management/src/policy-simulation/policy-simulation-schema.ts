import { z } from 'zod';
import { id, presentTimeOrNull, timestamp } from '@svc/api';
import { type ModelEndpoint } from '@svc/catalog';
import { type GatewayError } from '@svc/kernel';
import { type ExcludedEndpoint, POLICY_LEVELS } from '@svc/policy';
import { OPERATIONS } from '@svc/protocol';
import { presentPrices, prices } from '../catalog/endpoint-prices';
import { exclusion } from '../routing/exclusion-schema';
import { type ModelChange, type PolicySimulation, type SimulatedAttempt } from './policy-simulations';

const PARAMETERS_MAX = 100;
const NAME_LENGTH_MAX = 200;

const name = () => z.string().min(1).max(NAME_LENGTH_MAX);
const operation = () => z.enum(OPERATIONS).meta({ description: 'An inference route.' });

export const newPolicySimulation = z
  .strictObject({
    policy: z
      .looseObject({})
      .optional()
      .meta({
        description: 'A draft, as `PUT` of the policy of its level takes it. Absent: the policy in force.',
        example: { denied_regions: ['us'] },
      }),
    level: z.enum(POLICY_LEVELS).default('organization').meta({
      description:
        'Whose policy the draft takes the place of. `project` needs `project_id`, `key` needs `api_key_id`.',
    }),
    project_id: id('project').nullable().default(null).meta({
      description: 'The project that the calls are booked on.',
      example: null,
    }),
    api_key_id: id('apiKey').nullable().default(null).meta({
      description: 'The key of the calls. Its project is known by it.',
      example: null,
    }),
    model: name().optional().meta({
      description: 'The id or alias of a model. Absent: every model is asked what the draft changes.',
      example: 'acme/small',
    }),
    operation: operation().optional().meta({
      description: 'The inference route. Absent: the first that the model is served on.',
      example: 'chat_completions',
    }),
    compat_mode: z
      .enum(['permissive', 'strict'])
      .default('permissive')
      .meta({ description: 'The call’s `compat_mode`.' }),
    parameters: z
      .array(name())
      .max(PARAMETERS_MAX)
      .default([])
      .meta({
        description:
          'Names of fields of the call’s body, beside the required ones. Each is simulated with a usual value that is not its default.',
        example: ['temperature', 'seed'],
      }),
  })
  .meta({
    id: 'NewPolicySimulation',
    example: {
      policy: { denied_regions: ['us'] },
      model: 'acme/small',
      operation: 'chat_completions',
      compat_mode: 'permissive',
      parameters: ['temperature'],
    },
  });

const endpoint = z
  .object({
    id: z.string().meta({
      description: 'Stable while model, provider, region and the provider’s name of the model are.',
      example: 'acme/small|acme|eu-west|small-1',
    }),
    provider: z.string().meta({ example: 'acme' }),
    region: z.string().meta({ example: 'eu-west' }),
    data_retention: z.enum(['zero', 'retained']),
  })
  .meta({ description: 'Where the model is served.' });

const attempt = z.object({
  endpoint,
  credential: z
    .enum(['own', 'platform', 'none'])
    .meta({ description: 'Whose credential is used; `none` for a provider that takes none.' }),
  price: prices.meta({ description: 'With the prices of what the call asks for.' }),
  latency: z
    .number()
    .nullable()
    .meta({
      description:
        'Milliseconds until an answer begins, as edges measured them in the last 5 minutes; null where none did. Streams, ' +
        'which `parameters` name by `stream`, are measured apart.',
      example: 240.5,
    }),
  circuit: z
    .enum(['closed', 'unknown'])
    .meta({ description: '`unknown`: no edge has planned with the endpoint in the last 10 minutes.' }),
  omitted: z.array(z.string()).meta({
    description: 'What the endpoint is not sent of the call, or in a changed form.',
    example: ['seed'],
  }),
  placed_by: z
    .enum([
      ...['parameters', 'own_credential', 'affinity', 'rollout', 'price', 'latency', 'throughput'],
      ...['native_protocol', 'catalog_order'],
    ] as const)
    .nullable()
    .meta({
      description:
        'The rule that puts the attempt behind the one before it; of the first, the rule that puts it before the second. `rollout`: ' +
        'a rollout by API key moved it there. Null for an only attempt.',
    }),
});

const refusal = z
  .object({
    status: z.int().meta({ example: 422 }),
    type: z.string().meta({ example: 'routing' }),
    code: z.string().meta({ example: 'no_eligible_route' }),
    message: z.string(),
    param: z.string().nullable().meta({ example: 'model' }),
    retriable: z.boolean(),
  })
  .nullable();

const modelChange = z.object({
  model: z.string().meta({ example: 'acme/small' }),
  operation: operation(),
  change: z.enum(['stops', 'starts', 'first_provider']).meta({
    description: 'Calls of the model stop being answered, start being, or go to another provider first.',
  }),
  before: endpoint.nullable().meta({ description: 'The first endpoint now; null where calls are refused.' }),
  after: endpoint.nullable().meta({ description: 'The first endpoint under the draft; null likewise.' }),
  refusal: refusal.meta({ description: 'The error of calls that stop; else null.' }),
});

export const policySimulation = z
  .object({
    operation: operation().nullable().meta({
      description: 'The inference route that was simulated; null without a model.',
    }),
    attempts: z.array(attempt).meta({ description: 'What a call tries, in this order.' }),
    excluded: z
      .array(z.object({ endpoint, ...exclusion }))
      .meta({ description: 'The other endpoints of the model.' }),
    refusal: refusal.meta({ description: 'The error that a call gets; null where it is tried.' }),
    changes: z.array(modelChange).nullable().meta({
      description: 'The models whose calls change from the policy in force to the draft; null with a model.',
    }),
    facts_as_of: timestamp().nullable().meta({
      description:
        'When edges last reported circuits and speeds of the endpoints; null where they reported none.',
    }),
  })
  .meta({ id: 'PolicySimulation' });

type Shown = z.input<typeof policySimulation>;

/** @param bps what calls cost, in basis points of the catalog's prices */
export const presentSimulation = ({ call, changes, factsAsOf }: PolicySimulation, bps: number): Shown => ({
  operation: call?.operation ?? null,
  attempts: call?.attempts.map((attempt) => presentAttempt(attempt, bps)) ?? [],
  excluded: call?.excluded.map(presentExcluded) ?? [],
  refusal: presentRefusal(call?.refusal ?? null),
  changes: changes?.map(presentChange) ?? null,
  facts_as_of: presentTimeOrNull(factsAsOf),
});

const presentAttempt = (
  { endpoint: planned, ...attempt }: SimulatedAttempt,
  bps: number,
): Shown['attempts'][number] => ({
  endpoint: presentEndpoint(planned),
  credential: attempt.credential,
  price: presentPrices(planned.prices, bps),
  latency: attempt.latencyMs,
  circuit: attempt.isCircuitKnown ? 'closed' : 'unknown',
  omitted: [...new Set(attempt.losses.map(({ param }) => param))],
  placed_by: attempt.placedBy,
});

const presentExcluded = ({ endpoint: left, constraint, field, message }: ExcludedEndpoint) => ({
  endpoint: presentEndpoint(left),
  constraint,
  field,
  message,
});

const presentChange = ({ model, before, after, ...changed }: ModelChange) => ({
  model: model.id,
  operation: changed.operation,
  change: changed.change,
  before: before && presentEndpoint(before),
  after: after && presentEndpoint(after),
  refusal: presentRefusal(changed.refusal),
});

const presentEndpoint = ({ id, provider, region, dataRetention }: ModelEndpoint) => ({
  id,
  provider: provider.name,
  region,
  data_retention: dataRetention,
});

function presentRefusal(error: GatewayError | null): Shown['refusal'] {
  if (error === null) return null;
  const { definition, code, message, param = null } = error;
  const { status, type, retriable } = definition;
  return { status, type, code, message, param, retriable };
}
