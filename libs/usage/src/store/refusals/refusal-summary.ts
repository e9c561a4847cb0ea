import { type Database } from '@svc/database';
import { Prisma } from '@svc/database/rows';

const HOUR_MS = 3_600_000;

export const refusalGroupings = ['hour', 'code', 'model', 'project', 'api_key'] as const;
type RefusalGrouping = (typeof refusalGroupings)[number];
export const isRefusalGrouping = (text: string): text is RefusalGrouping =>
  (refusalGroupings as readonly string[]).includes(text);

/** Which of an organization's refusals to sum up. */
export interface RefusalQuery {
  readonly organizationId: string;
  /** UTC hours since 1970. The first is included, the last is not. */
  readonly firstHour: number;
  readonly endHour: number;
  readonly groupBy: readonly RefusalGrouping[];
  readonly projectId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly model?: string | undefined;
  readonly code?: string | undefined;
}

/** The refusals of one group. Only the requested groupings are present. */
export interface RefusalRow {
  /** The start of the hour. */
  readonly hour?: Date;
  readonly code?: string;
  /** Present with `code`. */
  readonly httpStatus?: number;
  readonly model?: string | null;
  readonly project?: string | null;
  readonly apiKey?: string;
  readonly count: bigint;
  readonly lastAt: Date;
  readonly lastMessage: string;
}

/** Sums of the counts of refused calls. */
export class RefusalSummaries {
  constructor(private readonly database: Database) {}

  /**
   * The newest hours come first, and within an hour (or overall) the most frequent groups.
   * @returns at most `rowsMax` rows, and one more where there are too many.
   */
  async summarize(query: RefusalQuery, rowsMax: number): Promise<readonly RefusalRow[]> {
    const rows = await this.database.prisma.$queryRaw<Row[]>(refusalSummary(query, rowsMax + 1));
    return rows.map((row) => ({ ...row, count: BigInt(row.count) }));
  }
}

const groupings: Readonly<
  Record<RefusalGrouping, { readonly column: Prisma.Sql; readonly shown: Prisma.Sql }>
> = {
  hour: { column: Prisma.sql`hour`, shown: Prisma.sql`hour` },
  code: { column: Prisma.sql`code`, shown: Prisma.sql`code, max(http_status)::int AS "httpStatus"` },
  model: { column: Prisma.sql`model`, shown: Prisma.sql`nullif(model, '') AS model` },
  project: { column: Prisma.sql`project_id`, shown: Prisma.sql`nullif(project_id, '') AS project` },
  api_key: { column: Prisma.sql`api_key_id`, shown: Prisma.sql`api_key_id AS "apiKey"` },
};

/** The last message is the second of the greatest pair of time and message: one pair of memory for a group of any size. */
function refusalSummary(query: RefusalQuery, limit: number): Prisma.Sql {
  const { organizationId, firstHour, endHour, groupBy } = query;
  const columns = groupBy.map((grouping) => groupings[grouping].column);
  const order = [
    ...(groupBy.includes('hour') ? [Prisma.sql`hour DESC`] : []),
    Prisma.sql`sum(refused_count) DESC`,
    ...columns,
  ];
  return Prisma.sql`
    SELECT ${Prisma.join(groupBy.map((grouping) => groupings[grouping].shown))},
      sum(refused_count)::text AS count, max(last_at) AS "lastAt",
      (max(ARRAY[to_char(last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), last_message]))[2] AS "lastMessage"
    FROM refusals
    WHERE ${Prisma.join(
      [
        Prisma.sql`organization_id = ${organizationId}`,
        Prisma.sql`hour >= ${startOf(firstHour)} AND hour < ${startOf(endHour)}`,
        ...conditionsOf(query),
      ],
      ' AND ',
    )}
    GROUP BY ${Prisma.join(columns)}
    ORDER BY ${Prisma.join(order)} LIMIT ${limit}`;
}

const startOf = (hour: number): Date => new Date(hour * HOUR_MS);

const conditionsOf = ({ projectId, apiKeyId, model, code }: RefusalQuery): readonly Prisma.Sql[] => [
  ...(projectId === undefined ? [] : [Prisma.sql`project_id = ${projectId}`]),
  ...(apiKeyId === undefined ? [] : [Prisma.sql`api_key_id = ${apiKeyId}`]),
  ...(model === undefined ? [] : [Prisma.sql`model = ${model}`]),
  ...(code === undefined ? [] : [Prisma.sql`code = ${code}`]),
];

type Row = Omit<RefusalRow, 'count'> & { readonly count: string };
