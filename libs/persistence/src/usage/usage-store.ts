import { type Database } from '../database/database';
import { Prisma } from '../generated/prisma/client';

export const usageGroupings = ['day', 'model', 'project', 'api_key', 'provider', 'tag'] as const;
type UsageGrouping = (typeof usageGroupings)[number];
export const isUsageGrouping = (text: string): text is UsageGrouping =>
  (usageGroupings as readonly string[]).includes(text);

/** Which of an organization's usage to sum up. */
export interface UsageQuery {
  readonly organizationId: string;
  /** UTC days since 1970. The first is included, the last is not. */
  readonly firstDay: number;
  readonly endDay: number;
  readonly groupBy: readonly UsageGrouping[];
  readonly projectId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly tag?: string | undefined;
}

export interface UsageCounts {
  readonly requests: bigint;
  readonly inputTokens: bigint;
  readonly cachedInputTokens: bigint;
  readonly cacheWriteTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly customerNanos: bigint;
}

/** The sums of one group. Only the requested groupings are present. */
export interface UsageRow extends UsageCounts {
  /** `YYYY-MM-DD`. */
  readonly day?: string;
  readonly model?: string;
  /** Null: calls without a project. */
  readonly project?: string | null;
  readonly apiKey?: string;
  /** Null: calls that no provider answered. */
  readonly provider?: string | null;
  /** Null: calls without the label that the organization declared. `(other)`: see `book_usage_tags`. */
  readonly tag?: string | null;
}

/** The usage of organizations, by the days that settlements add to. Calls in flight are not included. */
export class UsageStore {
  constructor(private readonly database: Database) {}

  /**
   * The newest days come first, and within a day (or overall) the most expensive groups.
   * @returns at most `rowsMax` rows, and one more where there are too many.
   */
  async summarize(query: UsageQuery, rowsMax: number): Promise<readonly UsageRow[]> {
    const rows = await this.database.prisma.$queryRaw<Row[]>(usageSummary(query, rowsMax + 1));
    return rows.map(toUsageRow);
  }

  /**
   * Deletes what bounded the tags of days before yesterday: no call begins on those any more.
   * @returns how many rows.
   */
  async deleteOldTags(limit: number): Promise<number> {
    const { rowCount } = await this.database.background.query(
      `DELETE FROM usage_day_tags WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM usage_day_tags WHERE day < (now() AT TIME ZONE 'UTC')::date - 1 LIMIT $1))`,
      [limit],
    );
    return rowCount ?? 0;
  }
}

const groupings: Readonly<
  Record<UsageGrouping, { readonly column: Prisma.Sql; readonly shown: Prisma.Sql }>
> = {
  day: { column: Prisma.sql`day`, shown: Prisma.sql`to_char(day, 'YYYY-MM-DD') AS day` },
  model: { column: Prisma.sql`model`, shown: Prisma.sql`model` },
  project: { column: Prisma.sql`project_id`, shown: Prisma.sql`nullif(project_id, '') AS project` },
  api_key: { column: Prisma.sql`api_key_id`, shown: Prisma.sql`api_key_id AS "apiKey"` },
  provider: { column: Prisma.sql`provider`, shown: Prisma.sql`nullif(provider, '') AS provider` },
  tag: { column: Prisma.sql`tag`, shown: Prisma.sql`nullif(tag, '') AS tag` },
};

function usageSummary(query: UsageQuery, limit: number): Prisma.Sql {
  const { organizationId, firstDay, endDay, groupBy } = query;
  const columns = groupBy.map((grouping) => groupings[grouping].column);
  const order = [
    ...(groupBy.includes('day') ? [Prisma.sql`day DESC`] : []),
    Prisma.sql`sum(customer_nanos) DESC`,
    ...columns,
  ];
  return Prisma.sql`
    SELECT ${Prisma.join(groupBy.map((grouping) => groupings[grouping].shown))},
      sum(request_count)::text AS requests, sum(input_tokens)::text AS "inputTokens",
      sum(cached_input_tokens)::text AS "cachedInputTokens", sum(cache_write_tokens)::text AS "cacheWriteTokens",
      sum(output_tokens)::text AS "outputTokens", sum(reasoning_tokens)::text AS "reasoningTokens",
      sum(customer_nanos)::text AS "customerNanos"
    FROM usage_days
    WHERE ${Prisma.join(
      [
        Prisma.sql`organization_id = ${organizationId}`,
        Prisma.sql`day >= date '1970-01-01' + ${firstDay}::int AND day < date '1970-01-01' + ${endDay}::int`,
        ...conditionsOf(query),
      ],
      ' AND ',
    )}
    GROUP BY ${Prisma.join(columns)}
    ORDER BY ${Prisma.join(order)} LIMIT ${limit}`;
}

const conditionsOf = ({ projectId, apiKeyId, model, provider, tag }: UsageQuery): readonly Prisma.Sql[] => [
  ...(projectId === undefined ? [] : [Prisma.sql`project_id = ${projectId}`]),
  ...(apiKeyId === undefined ? [] : [Prisma.sql`api_key_id = ${apiKeyId}`]),
  ...(model === undefined ? [] : [Prisma.sql`model = ${model}`]),
  ...(provider === undefined ? [] : [Prisma.sql`provider = ${provider}`]),
  ...(tag === undefined ? [] : [Prisma.sql`tag = ${tag}`]),
];

type Row = Omit<UsageRow, keyof UsageCounts> & Readonly<Record<keyof UsageCounts, string>>;

const toUsageRow = (row: Row): UsageRow => ({
  ...row,
  requests: BigInt(row.requests),
  inputTokens: BigInt(row.inputTokens),
  cachedInputTokens: BigInt(row.cachedInputTokens),
  cacheWriteTokens: BigInt(row.cacheWriteTokens),
  outputTokens: BigInt(row.outputTokens),
  reasoningTokens: BigInt(row.reasoningTokens),
  customerNanos: BigInt(row.customerNanos),
});
