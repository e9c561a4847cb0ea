import { z } from 'zod';
import { id, line, nanosAmount, pointInTime, timestamp } from '@svc/platform/api';

const status = z.enum(['pending', 'succeeded', 'failed', 'cancelled', 'reconciliation_required']).meta({
  description:
    '`cancelled`: the caller left. `reconciliation_required`: what it used could not be told, so finance is asked to look.',
});

const tokenCount = () => z.int().nonnegative();

const attemptAtProvider = z
  .object({
    provider: z.string().meta({ example: 'acme' }),
    region: z.string().meta({ example: 'eu-west' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'The provider’s HTTP status; null when it gave none.', example: 200 }),
    duration_ms: z.int().nonnegative().meta({ example: 812 }),
    error: z
      .string()
      .optional()
      .meta({ description: 'Code of what went wrong; absent when it answered.', example: 'provider_error' }),
  })
  .meta({ id: 'Attempt', description: 'One try at one provider.' });

const usage = z
  .object({
    input_tokens: tokenCount().meta({
      description: 'Prompt tokens that were neither read from a prompt cache nor written to one.',
      example: 420,
    }),
    cached_input_tokens: tokenCount().meta({ description: 'Read from a prompt cache.', example: 0 }),
    cache_write_tokens: tokenCount().meta({ description: 'Written to a prompt cache.', example: 0 }),
    output_tokens: tokenCount().meta({ example: 180 }),
    reasoning_tokens: tokenCount().meta({
      description: 'Those of `output_tokens` that reasoned.',
      example: 0,
    }),
  })
  .meta({ id: 'TokenUsage', description: 'Each token counts once.' });

export const request = z
  .object({
    id: id('request').meta({ description: 'The `X-Request-Id` of the call.' }),
    organization_id: id('organization'),
    project_id: id('project').nullable(),
    api_key_id: id('apiKey'),
    route: z.enum(['chat_completions', 'messages']),
    model: z.string().meta({ example: 'acme/small' }),
    provider: z
      .string()
      .nullable()
      .meta({ description: 'Who answered; null where nobody did.', example: 'acme' }),
    status: status.meta({ example: 'succeeded' }),
    http_status: z.int().nullable().meta({ description: 'What the caller was answered.', example: 200 }),
    error_code: z.string().nullable().meta({ example: null }),
    stream: z.boolean(),
    attempts: z.array(attemptAtProvider).meta({
      description: 'In the order in which they were made.',
      example: [{ provider: 'acme', region: 'eu-west', status: 200, duration_ms: 812 }],
    }),
    usage,
    cost: z.object({
      customer_nanos: nanosAmount().nonnegative(),
      state: z
        .enum(['final', 'provisional'])
        .meta({ description: '`provisional` as long as the cost may still change: also while pending.' }),
    }),
    ttft_ms: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'Milliseconds to the first byte of the answer.', example: 240 }),
    duration_ms: z.int().nonnegative().nullable().meta({ example: 1_130 }),
    created_at: timestamp().meta({ description: 'When the call arrived.' }),
  })
  .meta({ id: 'Request', description: 'One inference call. Neither prompt nor output is in it.' });

const HTTP_STATUS_MIN = 100;
const HTTP_STATUS_MAX = 599;
const FILTER_MAX_LENGTH = 200;

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
  created_after: pointInTime().optional().meta({ description: 'Calls that arrived then or later.' }),
  created_before: pointInTime().optional().meta({ description: 'Calls that arrived earlier.' }),
};
