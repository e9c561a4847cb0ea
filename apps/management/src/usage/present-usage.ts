import { type z } from 'zod';
import { type UsageCounts, type UsageRow } from '@svc/persistence';
import { dateOfDay } from './usage-range';
import { type UsageSummary } from './usage';
import { type usageSummary } from './usage-schema';

export const presentUsage = ({
  firstDay,
  endDay,
  rows,
  total,
}: UsageSummary): z.input<typeof usageSummary> => ({
  start: dateOfDay(firstDay),
  end: dateOfDay(endDay),
  data: rows.map((row) => ({ ...groupOf(row), ...presentCounts(row) })),
  total: presentCounts(total),
});

const groupOf = ({ day, model, project, apiKey, provider }: UsageRow) => ({
  ...(day === undefined ? {} : { day }),
  ...(model === undefined ? {} : { model }),
  ...(project === undefined ? {} : { project_id: project }),
  ...(apiKey === undefined ? {} : { api_key_id: apiKey }),
  ...(provider === undefined ? {} : { provider }),
});

const presentCounts = (counts: UsageCounts) => ({
  requests: Number(counts.requests),
  input_tokens: Number(counts.inputTokens),
  cached_input_tokens: Number(counts.cachedInputTokens),
  cache_write_tokens: Number(counts.cacheWriteTokens),
  output_tokens: Number(counts.outputTokens),
  reasoning_tokens: Number(counts.reasoningTokens),
  customer_nanos: Number(counts.customerNanos),
});
