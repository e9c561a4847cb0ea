import { type Database } from '../database/database';
import { Prisma } from '../generated/prisma/client';
import { filtersOf, grouped, USAGE_COLUMNS, type UsageGroup, type UsageQuery } from '../usage/usage-query';
import { toUsageRow, type UsageRow, type UsageSumRow } from '../usage/usage-row';

/** Of calls that ended in a range of time; without tags. */
interface MinuteUsageQuery extends UsageQuery {
  readonly start: Date;
  /** Not part of the range. */
  readonly end: Date;
}

/** Times of calls of a group: pairs of a bound and a count. */
export interface CountedTimes extends UsageGroup {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

/** The usage of organizations by the hour, and how long calls took, from the sums by the minute. */
export class MinuteUsage {
  constructor(private readonly database: Database) {}

  /**
   * The newest hours come first, and within an hour (or overall) the most expensive groups.
   * @returns at most `rowsMax` rows, and one more where there are too many.
   */
  async summarize(query: MinuteUsageQuery, rowsMax: number): Promise<readonly UsageRow[]> {
    const { shown, keys, order, join } = grouped(query, COLUMNS);
    const rows = await this.database.prisma.$queryRaw<UsageSumRow[]>`
      SELECT ${shown},
        sum(calls)::text AS requests, sum(failures)::text AS failed, sum(cancelled)::text AS cancelled,
        sum(input_tokens)::text AS "inputTokens",
        sum(cached_input_tokens)::text AS "cachedInputTokens", sum(cache_write_tokens)::text AS "cacheWriteTokens",
        sum(output_tokens)::text AS "outputTokens", sum(reasoning_tokens)::text AS "reasoningTokens",
        sum(spent_nanos)::text AS "customerNanos"
      FROM call_minutes ${join}
      WHERE calls > 0 AND ${inRange(query)}
      GROUP BY ${Prisma.join([...keys])}
      ORDER BY ${Prisma.join([...order, Prisma.sql`sum(spent_nanos) DESC`, ...keys])} LIMIT ${rowsMax + 1}`;
    return rows.map(toUsageRow);
  }

  /** How long calls that succeeded took, by group. */
  durations(query: MinuteUsageQuery): Promise<readonly CountedTimes[]> {
    return this.times(query, Prisma.sql`unnest(duration_bounds, duration_counts)`);
  }

  /** When answers began, by group. */
  timesToFirstToken(query: MinuteUsageQuery): Promise<readonly CountedTimes[]> {
    return this.times(query, Prisma.sql`unnest(ttft_bounds, ttft_counts)`);
  }

  private async times(query: MinuteUsageQuery, histogram: Prisma.Sql): Promise<readonly CountedTimes[]> {
    const { shown, names, keys, join } = grouped(query, COLUMNS);
    return this.database.prisma.$queryRaw<CountedTimes[]>`
      SELECT ${names}, array_agg(bound::int) AS bounds, array_agg(count) AS counts
      FROM (
        SELECT ${shown}, h.bound, sum(h.count)::float8 AS count
        FROM call_minutes ${join} CROSS JOIN LATERAL ${histogram} AS h (bound, count)
        WHERE ${inRange(query)}
        GROUP BY ${Prisma.join([...keys, Prisma.sql`h.bound`])}
      ) counted
      GROUP BY ${names}`;
  }
}

const COLUMNS = {
  ...USAGE_COLUMNS,
  hour: Prisma.sql`date_bin('1 hour', minute, timestamptz 'epoch')`,
  day: Prisma.sql`(minute AT TIME ZONE 'UTC')::date`,
};

const inRange = (query: MinuteUsageQuery): Prisma.Sql =>
  Prisma.join(
    [...filtersOf(query), Prisma.sql`minute >= ${query.start}`, Prisma.sql`minute < ${query.end}`],
    ' AND ',
  );
