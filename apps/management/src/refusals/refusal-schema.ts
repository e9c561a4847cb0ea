import { z } from 'zod';
import { id, line, pointInTime } from '@svc/api';
import { isRefusalGrouping, refusalGroupings, type RefusalRow } from '@svc/usage/store';
import { startOfHour } from '../usage/usage-range';
import { type RefusalSummary } from './refusals';

/** Above 2⁵³ − 1 a sum is rounded. */
const count = () =>
  z
    .number()
    .nonnegative()
    .meta({ override: { type: 'integer', minimum: 0 }, example: 214 });

const refusalRow = z
  .object({
    hour: z.iso.datetime().optional().meta({ description: 'The start of the hour, in UTC.' }),
    code: z.string().optional().meta({ example: 'rate_limit' }),
    http_status: z.int().optional().meta({ description: 'That of `code`.', example: 429 }),
    model: z.string().nullable().optional().meta({
      description:
        'As the call named it. Null: refused before the model was read, or a name that the catalog does not have.',
      example: 'acme/small',
    }),
    project_id: id('project').nullable().optional().meta({ description: 'Null: calls without a project.' }),
    api_key_id: id('apiKey').optional(),
    count: count().meta({ description: 'Refused calls.' }),
    last_at: z.iso.datetime().meta({ description: 'When the last of them was refused.' }),
    last_message: z.string().meta({
      description: 'The message of its error, up to 300 characters.',
      example: 'The key’s limit of 60 requests per minute is used up. Retry in 7 s.',
    }),
  })
  .meta({
    id: 'RefusalRow',
    description: 'The refused calls of one group, named by the fields of `group_by`.',
  });

export const refusalSummary = z
  .object({
    start: z.iso.datetime().meta({
      description: 'The start of the first hour of the range.',
      example: '2026-11-19T10:00:00.000Z',
    }),
    end: z.iso.datetime().meta({
      description: 'The end of the last hour of the range.',
      example: '2026-11-20T10:00:00.000Z',
    }),
    data: z
      .array(refusalRow)
      .meta({ description: 'The newest hour first, and the most frequent group first within an hour.' }),
    total: z.object({ count: count() }).meta({ id: 'RefusalTotal' }),
  })
  .meta({ id: 'Refusals' });

const FILTER_MAX_LENGTH = 200;

export const refusalQuery = {
  start: pointInTime().optional().meta({
    description: 'The start of the range. Its whole hour counts. By default 24 hours before `end`.',
    example: '2026-11-19T10:00:00.000Z',
  }),
  end: pointInTime().optional().meta({
    description:
      'The end of the range, exclusive. An hour that began before it counts whole. By default the end of this hour.',
    example: '2026-11-20T10:00:00.000Z',
  }),
  group_by: z
    .string()
    .default('code,model')
    .transform((list, { addIssue }) => {
      const names = list.split(',');
      if (names.every(isRefusalGrouping) && new Set(names).size === names.length) return names;
      addIssue(`must be some of ${refusalGroupings.join(', ')}, separated by commas, each at most once`);
      return z.NEVER;
    })
    .meta({
      description: `Some of ${refusalGroupings.map((name) => `\`${name}\``).join(', ')}, separated by commas.`,
      example: 'code,model',
    }),
  project_id: id('project').optional(),
  api_key_id: id('apiKey').optional(),
  model: line(FILTER_MAX_LENGTH).optional().meta({ example: 'acme/small' }),
  code: line(FILTER_MAX_LENGTH).optional().meta({ example: 'rate_limit' }),
};

export const presentRefusals = ({
  firstHour,
  endHour,
  rows,
}: RefusalSummary): z.input<typeof refusalSummary> => ({
  start: startOfHour(firstHour),
  end: startOfHour(endHour),
  data: rows.map(presentRow),
  total: { count: Number(rows.reduce((sum, row) => sum + row.count, 0n)) },
});

const presentRow = ({ hour, code, httpStatus, model, project, apiKey, ...row }: RefusalRow) => ({
  ...(hour === undefined ? {} : { hour: hour.toISOString() }),
  ...(code === undefined ? {} : { code }),
  ...(httpStatus === undefined ? {} : { http_status: httpStatus }),
  ...(model === undefined ? {} : { model }),
  ...(project === undefined ? {} : { project_id: project }),
  ...(apiKey === undefined ? {} : { api_key_id: apiKey }),
  count: Number(row.count),
  last_at: row.lastAt.toISOString(),
  last_message: row.lastMessage,
});
