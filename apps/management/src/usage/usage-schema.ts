import { z } from 'zod';
import { id, line, pointInTime } from '@svc/api';
import { isUsageGrouping, usageGroupings, type UsageCounts, type UsageRow } from '@svc/persistence';
import { type UsageSummary } from './usage';
import { dateOfDay } from './usage-range';

/** Sums have no bound. Above 2⁵³ − 1, readers that compute in doubles get a rounded sum, which is better than none. */
const sum = () =>
  z
    .number()
    .nonnegative()
    .meta({ override: { type: 'integer', minimum: 0 } });

const counts = {
  requests: sum().meta({ description: 'Calls that have ended.', example: 1_204 }),
  input_tokens: sum().meta({
    description: 'Prompt tokens that were neither read from a prompt cache nor written to one.',
    example: 505_680,
  }),
  cached_input_tokens: sum().meta({ description: 'Prompt tokens read from a prompt cache.', example: 0 }),
  cache_write_tokens: sum().meta({ description: 'Prompt tokens written to a prompt cache.', example: 0 }),
  output_tokens: sum().meta({ example: 216_720 }),
  reasoning_tokens: sum().meta({
    description: 'The part of `output_tokens` that was reasoning.',
    example: 0,
  }),
  customer_nanos: sum().meta({ description: 'Nano-dollars: 10⁻⁹ USD.', example: 205_884_000 }),
};

const usageRow = z
  .object({
    day: z.iso.date().optional(),
    model: z.string().optional().meta({ example: 'acme/small' }),
    project_id: id('project').nullable().optional().meta({ description: 'Null: calls without a project.' }),
    api_key_id: id('apiKey').optional(),
    provider: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Null: calls that no provider answered.', example: 'acme' }),
    tag: z.string().nullable().optional().meta({
      description:
        'The value of the organization’s `usage_tag`. Null: calls without it. `(other)`: the values beyond the first 1,000 of a day.',
      example: 'search',
    }),
    ...counts,
  })
  .meta({ id: 'UsageRow', description: 'The sums of one group, named by the fields of `group_by`.' });

export const usageSummary = z
  .object({
    start: z.iso.date().meta({ description: 'The first day of the range, in UTC.', example: '2026-10-22' }),
    end: z.iso.date().meta({ description: 'The first day after the range.', example: '2026-11-21' }),
    data: z
      .array(usageRow)
      .meta({ description: 'The newest day first, and the most expensive group first within a day.' }),
    total: z.object(counts).meta({ id: 'UsageTotal' }),
  })
  .meta({ id: 'Usage' });

const FILTER_MAX_LENGTH = 200;

export const usageQuery = {
  start: pointInTime().optional().meta({
    description: 'The start of the range. Its whole UTC day counts. By default 30 days before `end`.',
    example: '2026-10-22',
  }),
  end: pointInTime().optional().meta({
    description:
      'The end of the range, exclusive. A day that began before it counts whole. By default the end of today.',
    example: '2026-11-21',
  }),
  group_by: z
    .string()
    .default('day')
    .transform((list, { addIssue }) => {
      const names = list.split(',');
      if (names.every(isUsageGrouping) && new Set(names).size === names.length) return names;
      addIssue(`must be some of ${usageGroupings.join(', ')}, separated by commas, each at most once`);
      return z.NEVER;
    })
    .meta({
      description: `Some of ${usageGroupings.map((name) => `\`${name}\``).join(', ')}, separated by commas.`,
      example: 'day,model',
    }),
  project_id: id('project').optional(),
  api_key_id: id('apiKey').optional(),
  model: line(FILTER_MAX_LENGTH).optional().meta({ example: 'acme/small' }),
  provider: line(FILTER_MAX_LENGTH).optional().meta({ example: 'acme' }),
  tag: line(FILTER_MAX_LENGTH).optional().meta({ example: 'search' }),
};

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

const groupOf = ({ day, model, project, apiKey, provider, tag }: UsageRow) => ({
  ...(day === undefined ? {} : { day }),
  ...(model === undefined ? {} : { model }),
  ...(project === undefined ? {} : { project_id: project }),
  ...(apiKey === undefined ? {} : { api_key_id: apiKey }),
  ...(provider === undefined ? {} : { provider }),
  ...(tag === undefined ? {} : { tag }),
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
