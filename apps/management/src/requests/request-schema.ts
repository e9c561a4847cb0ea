import { z } from 'zod';
import { anyOf, id, line, pointInTime, timestamp } from '@svc/api';
import { callRow } from '@svc/exports';
import { type RequestRecord } from '@svc/ledger/store';
import { OPERATIONS } from '@svc/protocol';
import { answeredError, callWarning, cost, presentError } from './request-explanation';

const status = z.enum(['pending', 'succeeded', 'failed', 'cancelled', 'reconciliation_required']).meta({
  description:
    '`cancelled`: the caller disconnected. `reconciliation_required`: the usage is unknown, so finance has to check.',
});

const tokenCount = () => z.int().nonnegative();

const attemptAtProvider = z
  .object({
    provider: z.string().meta({ example: 'acme' }),
    region: z.string().meta({ example: 'eu-west' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'The provider’s HTTP status; null if it sent none.', example: 200 }),
    started_ms: z.int().nonnegative().nullable().meta({
      description: 'Milliseconds from the arrival of the call to the start of the attempt; null if unknown.',
      example: 4,
    }),
    first_byte_ms: z.int().nonnegative().nullable().meta({
      description:
        'Milliseconds from the start of the attempt to the head of the provider’s answer; null if none came, or if unknown.',
      example: 236,
    }),
    duration_ms: z.int().nonnegative().meta({
      description: 'Milliseconds until the attempt failed, was answered whole, or its stream began.',
      example: 812,
    }),
    endpoint_id: z.string().nullable().meta({
      description: 'The endpoint of the model in the catalog; null if unknown.',
      example: 'acme/small|acme|eu-west|small-1',
    }),
    credential: z.enum(['own', 'platform', 'none']).nullable().meta({
      description:
        'Whose provider credential the attempt was made with: the organization’s own, the platform’s, or none. Null if unknown.',
      example: 'platform',
    }),
    credential_id: id('providerCredential').nullable().meta({
      description: 'The organization’s own credential; null for the platform’s, for none, and if unknown.',
      example: null,
    }),
    placed_by: z.enum(['affinity', 'rollout']).nullable().meta({
      description:
        'What put the attempt before others that the policy’s order puts first: `affinity` the endpoint and credential that answered the conversation last, `rollout` a rollout. Null for nothing.',
      example: null,
    }),
    error: z
      .string()
      .optional()
      .meta({ description: 'The error code; absent if the attempt succeeded.', example: 'provider_error' }),
    upstream_request_id: z.string().nullable().meta({
      description: 'The provider’s own id of the request, for its support; null if it gave none.',
      example: 'req_011CSHoEeqs5C35K2UUqR7Fy',
    }),
  })
  .meta({ id: 'Attempt', description: 'One attempt at one provider.' });

const usage = z
  .object({
    input_tokens: tokenCount().meta({
      description: 'Prompt tokens that were neither read from a prompt cache nor written to one.',
      example: 420,
    }),
    cached_input_tokens: tokenCount().meta({
      description: 'Prompt tokens read from a prompt cache.',
      example: 0,
    }),
    cache_write_tokens: tokenCount().meta({
      description: 'Prompt tokens written to a prompt cache.',
      example: 0,
    }),
    output_tokens: tokenCount().meta({ example: 180 }),
    reasoning_tokens: tokenCount().meta({
      description: 'The part of `output_tokens` that was reasoning.',
      example: 0,
    }),
  })
  .meta({ id: 'TokenUsage', description: 'Each token counts once.' });

/** One value in a filter, because a session id can have commas. */
const sessionId = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 visible ASCII characters')
    .meta({ example: 'night-42' });

const traceId = () =>
  z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .meta({ example: '4bf92f3577b34da6a3ce929d0e0e4736' });

export const request = z
  .object({
    id: id('request').meta({ description: 'The `X-Request-Id` of the call.' }),
    organization_id: id('organization'),
    project_id: id('project').nullable(),
    api_key_id: id('apiKey'),
    route: z.enum(OPERATIONS),
    model: z.string().meta({ example: 'acme/small' }),
    provider: z
      .string()
      .nullable()
      .meta({ description: 'The provider that answered; null if none did.', example: 'acme' }),
    status: status.meta({ example: 'succeeded' }),
    http_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the answer to the caller.', example: 200 }),
    error_code: z.string().nullable().meta({ example: null }),
    error: answeredError.nullable().meta({
      description:
        'The error that the caller got; null if there was none, while the call is pending, and if unknown.',
      example: null,
    }),
    warnings: z.array(callWarning).nullable().meta({
      description: 'The `warnings` of the answer. Null while the call is pending, and if unknown.',
      example: [],
    }),
    stream: z.boolean(),
    session_id: sessionId().nullable().meta({ description: 'The `Svc-Session-Id` of the call.' }),
    policy_version: z.int().min(0).nullable().meta({
      description:
        'The version of the routing policy that the call was planned by, 0 for the default; null if unknown.',
      example: 3,
    }),
    policy_versions: z
      .object({
        organization: z.int().min(0),
        project: z.int().min(0).nullable().meta({ description: 'Null for a call without a project.' }),
        key: z.int().min(0),
      })
      .nullable()
      .meta({
        description:
          'The versions of the policies that the call was planned by, 0 where a level had none; null if unknown.',
        example: { organization: 3, project: null, key: 0 },
      }),
    attempts: z.array(attemptAtProvider).meta({
      description: 'The attempts at providers, in order.',
      example: [
        {
          provider: 'acme',
          region: 'eu-west',
          status: 200,
          started_ms: 4,
          first_byte_ms: 236,
          duration_ms: 812,
          endpoint_id: 'acme/small|acme|eu-west|small-1',
          credential: 'platform',
          credential_id: null,
          placed_by: null,
          upstream_request_id: null,
        },
      ],
    }),
    usage,
    cost,
    user: z.string().nullable().meta({
      description: 'The `user` of a chat completion, or the `metadata.user_id` of a message.',
      example: 'u-4711',
    }),
    metadata: z
      .record(z.string(), z.string())
      .meta({ description: 'The `metadata` of the call, within bounds.', example: { team: 'search' } }),
    end_user: z.string().nullable().meta({
      description:
        'Whom the call was for, as the caller named them; null for nobody in particular, or where no name is kept.',
      example: 'ana@example.com',
    }),
    end_user_id: z.string().nullable().meta({
      description: 'The same person’s id, which budgets and usage count by.',
      example: 'eu_06dpm2q4x8k3c0v9r7t5w1hzny',
    }),
    ttft_ms: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'Milliseconds to the first byte of the answer.', example: 240 }),
    duration_ms: z.int().nonnegative().nullable().meta({ example: 1_130 }),
    trace_id: traceId().nullable().meta({
      description: 'The trace id of the call’s `traceparent`; null if it had none.',
    }),
    created_at: timestamp().meta({ description: 'When the call arrived.' }),
  })
  .meta({
    id: 'Request',
    description:
      'One inference call. Neither prompt nor output is in it; the message of a provider’s error may quote the call.',
  });

const httpStatus = z
  .string()
  .regex(/^[1-5]\d\d$/, 'must be an HTTP status')
  .transform(Number);
const atLeast = (description: string, example: number) =>
  z.coerce.number().int().nonnegative().optional().meta({ description, example });
const yesOrNo = () => z.enum(['true', 'false']).transform((text) => text === 'true');
const FILTER_MAX_LENGTH = 200;
/** As long as labels are kept. */
const LABEL_NAME_MAX_LENGTH = 64;
const LABEL_MAX_LENGTH = 512;
const LABELS_MAX = 16;
const END_USER_MAX_LENGTH = 256;

export const requestFilters = {
  project_id: anyOf(id('project')).optional(),
  api_key_id: anyOf(id('apiKey')).optional(),
  model: anyOf(line(FILTER_MAX_LENGTH)).optional().meta({ example: 'acme/small' }),
  provider: anyOf(line(FILTER_MAX_LENGTH)).optional().meta({ example: 'acme' }),
  status: anyOf(status)
    .optional()
    .meta({
      description: `Some of ${status.options.join(', ')}, with commas between them.`,
      example: 'failed,cancelled',
    }),
  http_status: anyOf(httpStatus).optional().meta({ example: '502,503' }),
  error_code: anyOf(line(FILTER_MAX_LENGTH)).optional().meta({ example: 'provider_error' }),
  failed: yesOrNo().optional().meta({
    description:
      'Calls that count as `failed` in usage: no provider answered, or the answer broke off. What a provider refused for what the caller had sent is left out.',
    example: 'true',
  }),
  stream: yesOrNo().optional(),
  session_id: sessionId().optional(),
  attempts_min: atLeast('Calls with at least so many attempts: 2 finds those that fell back.', 2),
  min_cost_nanos: atLeast('Calls that were charged at least so many nano-dollars.', 1_000_000),
  min_duration_ms: atLeast('Calls that have ended, and took at least so many milliseconds.', 10_000),
  min_ttft_ms: atLeast('Calls whose first byte took at least so many milliseconds.', 2_000),
  trace_id: traceId().optional(),
  end_user: line(END_USER_MAX_LENGTH)
    .optional()
    .meta({ description: 'An end user, by their id or their name.', example: 'ana@example.com' }),
  user: line(LABEL_MAX_LENGTH).optional().meta({ example: 'u-4711' }),
  metadata: z
    .record(line(LABEL_NAME_MAX_LENGTH), line(LABEL_MAX_LENGTH))
    .refine(
      (pairs) => Object.keys(pairs).length <= LABELS_MAX,
      `must have at most ${String(LABELS_MAX)} names`,
    )
    .optional()
    .meta({
      description: 'Calls that have each of these values, as in `metadata[team]=search`.',
      param: { style: 'deepObject', explode: true },
      example: { team: 'search' },
    }),
  created_after: pointInTime().optional().meta({ description: 'Calls that arrived then or later.' }),
  created_before: pointInTime().optional().meta({ description: 'Calls that arrived earlier.' }),
};

type Shown = z.input<typeof request>;

/** As an export shows it, with the message of its error. */
export const presentRequest = (record: RequestRecord): Shown => ({
  ...callRow(record),
  route: record.route as Shown['route'],
  status: record.status,
  error: presentError(record),
});
