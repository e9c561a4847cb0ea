import { type z } from 'zod';
import { nanosToJson } from '@svc/kernel';
import { type RequestRecord } from '@svc/persistence';
import { presentTime } from '@svc/platform/api';
import { type request } from './request-schema';

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
  attempts: record.attempts.map(({ provider, region, status, duration_ms, error }) => ({
    provider,
    region,
    status,
    duration_ms,
    ...(error === undefined ? {} : { error }),
  })),
  usage: {
    input_tokens: record.usage.inputTokens,
    cached_input_tokens: record.usage.cachedInputTokens,
    cache_write_tokens: record.usage.cacheWriteTokens,
    output_tokens: record.usage.outputTokens,
    reasoning_tokens: record.usage.reasoningTokens,
  },
  cost: { customer_nanos: nanosToJson(record.customerNanos), state: record.costState ?? 'provisional' },
  ttft_ms: record.ttftMs,
  duration_ms: record.durationMs,
  created_at: presentTime(record.createdAt),
});
