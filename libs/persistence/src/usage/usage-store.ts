import { type Database } from '../database/database';
import { Prisma } from '../generated/prisma/client';
import { filtersOf, grouped, USAGE_COLUMNS, type UsageQuery } from './usage-query';
import { toUsageRow, type UsageRow, type UsageSumRow } from './usage-row';

/** By the day at most. */
interface DayUsageQuery extends UsageQuery {
  /** UTC days since 1970. The first is included, the last is not. */
  readonly firstDay: number;
  readonly endDay: number;
}

/** The usage of organizations, by the days that settlements add to. Calls in flight are not included. */
export class UsageStore {
  constructor(private readonly database: Database) {}

  /**
   * The newest days come first, and within a day (or overall) the most expensive groups.
   * @returns at most `rowsMax` rows, and one more where there are too many.
   */
  async summarize(query: DayUsageQuery, rowsMax: number): Promise<readonly UsageRow[]> {
    const rows = await this.database.prisma.$queryRaw<UsageSumRow[]>(usageSummary(query, rowsMax + 1));
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

const COLUMNS = { ...USAGE_COLUMNS, day: Prisma.sql`day`, tag: Prisma.sql`tag` };

function usageSummary(query: DayUsageQuery, limit: number): Prisma.Sql {
  const { firstDay, endDay } = query;
  const { shown, keys, order, join } = grouped(query, COLUMNS);
  const inRange = Prisma.sql`day >= date '1970-01-01' + ${firstDay}::int AND day < date '1970-01-01' + ${endDay}::int`;
  return Prisma.sql`
    SELECT ${shown},
      sum(request_count)::text AS requests, sum(failed_count)::text AS failed, sum(cancelled_count)::text AS cancelled,
      sum(input_tokens)::text AS "inputTokens",
      sum(cached_input_tokens)::text AS "cachedInputTokens", sum(cache_write_tokens)::text AS "cacheWriteTokens",
      sum(output_tokens)::text AS "outputTokens", sum(reasoning_tokens)::text AS "reasoningTokens",
      sum(customer_nanos)::text AS "customerNanos"
    FROM usage_days ${join}
    WHERE ${Prisma.join([...filtersOf(query), inRange], ' AND ')}
    GROUP BY ${Prisma.join([...keys])}
    ORDER BY ${Prisma.join([...order, Prisma.sql`sum(customer_nanos) DESC`, ...keys])} LIMIT ${limit}`;
}
