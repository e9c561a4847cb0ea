import { z } from 'zod';
import { id, line, nanosAmount, pointInTime, presentTime, timestamp } from '@svc/api';
import { nanosToJson } from '@svc/kernel';
import { type RequestRecord } from '@svc/persistence';
import { OPERATIONS } from '@svc/protocol';

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
    duration_ms: z.int().nonnegative().meta({ example: 812 }),
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
    stream: z.boolean(),
    attempts: z.array(attemptAtProvider).meta({
      description: 'The attempts at providers, in order.',
      example: [
        { provider: 'acme', region: 'eu-west', status: 200, duration_ms: 812, upstream_request_id: null },
      ],
    }),
    usage,
    cost: z.object({
      customer_nanos: nanosAmount().nonnegative(),
      state: z.enum(['final', 'provisional']).meta({
        description: '`provisional` while the cost can still change, also while the call is pending.',
      }),
    }),
    user: z.string().nullable().meta({
      description: 'The `user` of a chat completion, or the `metadata.user_id` of a message.',
      example: 'u-4711',
    }),
    metadata: z
      .record(z.string(), z.string())
      .meta({ description: 'The `metadata` of the call, within bounds.', example: { team: 'search' } }),
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
  .meta({ id: 'Request', description: 'One inference call. Neither prompt nor output is in it.' });

const HTTP_STATUS_MIN = 100;
const HTTP_STATUS_MAX = 599;
const FILTER_MAX_LENGTH = 200;
/** As long as labels are kept. */
const LABEL_NAME_MAX_LENGTH = 64;
const LABEL_MAX_LENGTH = 512;
const LABELS_MAX = 16;

export const requestFilters = {
  project_id: id('project').optional(),
  api_key_id: id('apiKey').optional(),
  model: line(FILTER_MAX_LENGTH).optional().meta({ example: 'acme/small' }),
  provider: line(FILTER_MAX_LENGTH).optional().meta({ example: 'acme' }),
  status: status.optional(),
  http_status: z.coerce.number().int().min(HTTP_STATUS_MIN).max(HTTP_STATUS_MAX).optional(),
  error_code: line(FILTER_MAX_LENGTH).optional().meta({ example: 'provider_error' }),
  stream: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  trace_id: traceId().optional(),
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

export const presentRequest = (record: RequestRecord): Shown => ({
  id: record.id,
  organization_id: record.organizationId,
  project_id: record.projectId,
  api_key_id: record.apiKeyId,
  route: record.route as Shown['route'],
  model: record.model,
  provider: record.provider,
  status: record.status,
  http_status: record.httpStatus,
  error_code: record.errorCode,
  stream: record.stream,
  attempts: record.attempts.map(({ upstream_request_id = null, error, ...attempt }) => ({
    provider: attempt.provider,
    region: attempt.region,
    status: attempt.status,
    duration_ms: attempt.duration_ms,
    ...(error === undefined ? {} : { error }),
    upstream_request_id,
  })),
  usage: {
    input_tokens: record.usage.inputTokens,
    cached_input_tokens: record.usage.cachedInputTokens,
    cache_write_tokens: record.usage.cacheWriteTokens,
    output_tokens: record.usage.outputTokens,
    reasoning_tokens: record.usage.reasoningTokens,
  },
  cost: { customer_nanos: nanosToJson(record.customerNanos), state: record.costState ?? 'provisional' },
  user: record.labels?.user ?? null,
  metadata: record.labels?.metadata ?? {},
  ttft_ms: record.ttftMs,
  duration_ms: record.durationMs,
  trace_id: record.traceId,
  created_at: presentTime(record.createdAt),
});
