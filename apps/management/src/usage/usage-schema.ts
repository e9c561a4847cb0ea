import { z } from 'zod';
import { anyOf, id, line, nanosSum, pointInTime } from '@svc/api';
import { countsRow } from '@svc/exports';
import { isUsageGrouping, usageGroupings, type UsageRow } from '@svc/usage/store';
import { type Percentiles } from './call-times';
import { type UsageSummary } from './usage';

/** A sum of calls or tokens. It has no bound, but exceeds 2⁵³ − 1 in no organization's life. */
const sum = () =>
  z
    .number()
    .nonnegative()
    .meta({ override: { type: 'integer', minimum: 0 } });

const counts = {
  requests: sum().meta({ description: 'Calls that have ended.', example: 1_204 }),
  failed: sum().meta({
    description:
      'Calls that no provider answered, or whose answer broke off. Those that a provider refused for what the caller had sent are left out.',
    example: 3,
  }),
  cancelled: sum().meta({ description: 'Calls whose caller left.', example: 1 }),
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
  customer_nanos: nanosSum().meta({ description: 'What the wallet paid.', example: 205_884_000 }),
  provider_nanos: nanosSum().meta({
    description: 'What the organization’s own accounts at providers paid.',
    example: 0,
  }),
};

const percentiles = (description: string) =>
  z
    .object({
      p50: z.number().meta({ example: 712.3 }),
      p95: z.number().meta({ example: 2_040.5 }),
      p99: z.number().meta({ example: 3_843.1 }),
    })
    .nullable()
    .optional()
    .meta({ description: `${description} With \`include=latency\`. Null: no call was timed.` });

const times = {
  ttft_ms: percentiles('Percentiles of the time to the first byte of an answer, in milliseconds.'),
  duration_ms: percentiles('Percentiles of the duration of calls that succeeded, in milliseconds.'),
};

const usageRow = z
  .object({
    hour: z.iso.datetime().optional().meta({ description: 'The start of the hour, in UTC.' }),
    day: z.iso.date().optional(),
    model: z.string().optional().meta({ example: 'acme/small' }),
    project_id: id('project').nullable().optional().meta({ description: 'Null: calls without a project.' }),
    api_key_id: id('apiKey').optional().meta({
      description: 'Absent for fine-tuning that a user asked for without a key.',
    }),
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
    end_user_id: z.string().optional().meta({
      description:
        'The id of an end user. `(other)`: those beyond the first of a day that the operator lets be named.',
      example: 'eu_06dpm2q4x8k3c0v9r7t5w1hzny',
    }),
    end_user: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Their name; null where none is kept.', example: 'ana@example.com' }),
    other: z
      .literal(true)
      .optional()
      .meta({ description: 'With `top`: the row sums up all groups that are not named.' }),
    ...counts,
    ...times,
  })
  .meta({ id: 'UsageRow', description: 'The sums of one group, named by the fields of `group_by`.' });

export const usageSummary = z
  .object({
    start: z.union([z.iso.date(), z.iso.datetime()]).meta({
      description: 'The first day of the range, in UTC; the start of its first hour with `group_by=hour`.',
      example: '2026-10-22',
    }),
    end: z.union([z.iso.date(), z.iso.datetime()]).meta({
      description: 'The first day after the range; the end of its last hour with `group_by=hour`.',
      example: '2026-11-21',
    }),
    data: z.array(usageRow).meta({
      description: 'The newest day or hour first, and the most expensive group first within it.',
    }),
    total: z.object({ ...counts, ...times }).meta({ id: 'UsageTotal' }),
  })
  .meta({ id: 'Usage' });

const FILTER_MAX_LENGTH = 200;
const END_USER_MAX_LENGTH = 256;

export const usageQuery = {
  start: pointInTime().optional().meta({
    description:
      'The start of the range. Its whole UTC day or hour counts. By default 30 days before `end`, and 24 hours with `group_by=hour`.',
    example: '2026-10-22',
  }),
  end: pointInTime().optional().meta({
    description:
      'The end of the range, exclusive. A day or hour that began before it counts whole. By default the end of the present one.',
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
      description: `Some of ${usageGroupings.map((name) => `\`${name}\``).join(', ')}, separated by commas; not \`hour\` and \`day\` together, and \`end_user\` with \`day\` and \`project\` only.`,
      example: 'day,model',
    }),
  top: z.coerce.number().int().min(1).max(50).optional().meta({
    description:
      'How many groups are named: the most expensive ones of the range. All others are one, the last of each day or hour.',
    example: 5,
  }),
  include: z.enum(['latency']).optional().meta({
    description:
      '`latency`: rows and total have `ttft_ms` and `duration_ms`. The range is at most 31 days then.',
    example: 'latency',
  }),
  project_id: id('project').optional(),
  api_key_id: anyOf(id('apiKey')).optional(),
  model: line(FILTER_MAX_LENGTH).optional().meta({ example: 'acme/small' }),
  provider: line(FILTER_MAX_LENGTH).optional().meta({ example: 'acme' }),
  tag: line(FILTER_MAX_LENGTH).optional().meta({ example: 'search' }),
  end_user: line(END_USER_MAX_LENGTH)
    .optional()
    .meta({ description: 'An end user, by their id or their name.', example: 'ana@example.com' }),
};

export const presentUsage = ({
  start,
  end,
  rows,
  total,
  times,
  endUserNames,
}: UsageSummary): z.input<typeof usageSummary> => ({
  start,
  end,
  data: rows.map((row) => ({
    ...timeOf(row),
    ...groupOf(row, endUserNames),
    ...countsRow(row),
    ...(times === null ? {} : presentTimes(times.timesToFirstToken.of(row), times.durations.of(row))),
  })),
  total: {
    ...countsRow(total),
    ...(times === null ? {} : presentTimes(times.timesToFirstToken.ofAll(), times.durations.ofAll())),
  },
});

const presentTimes = (ttft_ms: Percentiles | null, duration_ms: Percentiles | null) => ({
  ttft_ms,
  duration_ms,
});

const timeOf = ({ hour, day }: UsageRow) => ({
  ...(hour === undefined ? {} : { hour: hour.toISOString() }),
  ...(day === undefined ? {} : { day }),
});

const groupOf = (row: UsageRow, endUserNames: UsageSummary['endUserNames']) =>
  row.isOther === true ? { other: true as const } : namesOf(row, endUserNames);

const namesOf = (
  { model, project, apiKey, provider, tag, endUserId }: UsageRow,
  endUserNames: UsageSummary['endUserNames'],
) => ({
  ...(model == null ? {} : { model }),
  ...(project === undefined ? {} : { project_id: project }),
  ...(apiKey == null ? {} : { api_key_id: apiKey }),
  ...(provider === undefined ? {} : { provider }),
  ...(tag === undefined ? {} : { tag }),
  ...(endUserId == null ? {} : { end_user_id: endUserId, end_user: endUserNames.get(endUserId) ?? null }),
});
