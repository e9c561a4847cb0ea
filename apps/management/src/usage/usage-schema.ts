import { z } from 'zod';
import { isUsageGrouping, usageGroupings } from '@svc/persistence';
import { id, line, pointInTime } from '@svc/platform/api';

/** Sums have no bound: above 2⁵³ − 1 a reader that computes in doubles rounds them, and that is no reason to have none. */
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
  cached_input_tokens: sum().meta({ description: 'Read from a prompt cache.', example: 0 }),
  cache_write_tokens: sum().meta({ description: 'Written to a prompt cache.', example: 0 }),
  output_tokens: sum().meta({ example: 216_720 }),
  reasoning_tokens: sum().meta({ description: 'Those of `output_tokens` that reasoned.', example: 0 }),
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
    ...counts,
  })
  .meta({ id: 'UsageRow', description: 'The sums of one group, which is named by what was grouped by.' });

export const usageSummary = z
  .object({
    start: z.iso
      .date()
      .meta({ description: 'The first day that is counted, in UTC.', example: '2026-10-22' }),
    end: z.iso
      .date()
      .meta({ description: 'The first day that is not counted any more.', example: '2026-11-21' }),
    data: z
      .array(usageRow)
      .meta({ description: 'The newest day first, and of a day, or of all, the most expensive group.' }),
    total: z.object(counts).meta({ id: 'UsageTotal' }),
  })
  .meta({ id: 'Usage' });

const FILTER_MAX_LENGTH = 200;

export const usageQuery = {
  start: pointInTime().optional().meta({
    description: 'Where the range begins: its UTC day counts whole. By default 30 days before `end`.',
    example: '2026-10-22',
  }),
  end: pointInTime().optional().meta({
    description:
      'The first moment that is no part of the range; a day that began before counts whole. By default today counts too.',
    example: '2026-11-21',
  }),
  group_by: z
    .string()
    .default('day')
    .transform((list, { addIssue }) => {
      const names = list.split(',');
      if (names.every(isUsageGrouping) && new Set(names).size === names.length) return names;
      addIssue(`must be out of ${usageGroupings.join(', ')}, each at most once, with commas between them`);
      return z.NEVER;
    })
    .meta({
      description: `Out of ${usageGroupings.map((name) => `\`${name}\``).join(', ')}, with commas between them.`,
      example: 'day,model',
    }),
  project_id: id('project').optional(),
  api_key_id: id('apiKey').optional(),
  model: line(FILTER_MAX_LENGTH).optional().meta({ example: 'acme/small' }),
  provider: line(FILTER_MAX_LENGTH).optional().meta({ example: 'acme' }),
};
