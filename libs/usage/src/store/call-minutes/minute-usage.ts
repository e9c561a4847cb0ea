import { type Database } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { filtersOf, grouped, USAGE_COLUMNS, type UsageGroup, type UsageQuery } from '../usage/usage-query';
import { summarizeUsage, type UsageRow } from '../usage/usage-row';

/** Of calls that ended in a range of whole UTC hours; without tags. */
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

/**
 * The usage of organizations by the hour, and how long calls took. Hours that the worker has summed up are read from its
 * sums, all others from the minutes (docs/decisions/0031).
 */
export class MinuteUsage {
  constructor(private readonly database: Database) {}

  /**
   * The newest hours come first, and within an hour (or overall) the most expensive groups.
   * @returns at most `rowsMax` rows, and one more where there are too many.
   */
  summarize(query: MinuteUsageQuery, rowsMax: number): Promise<readonly UsageRow[]> {
    // Other rows say only that a provider was asked.
    const from = { table: callsOf(query), sums: SUMS, where: [Prisma.sql`calls > 0`] };
    return summarizeUsage(this.database, from, grouped(query, COLUMNS), rowsMax);
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
    const { columns, tableKeys, shown, keys, join } = grouped(query, COLUMNS);
    return this.database.prisma.$queryRaw<CountedTimes[]>`
      SELECT ${shown}, array_agg(bound::int) AS bounds, array_agg(count) AS counts
      FROM (
        SELECT ${columns}, h.bound, sum(h.count)::float8 AS count
        FROM ${callsOf(query)} CROSS JOIN LATERAL ${histogram} AS h (bound, count)
        GROUP BY ${tableKeys}, h.bound
      ) s ${join}
      GROUP BY ${Prisma.join([...keys])}`;
  }
}

const SUMS = Prisma.sql`sum(calls) AS requests, sum(failures) AS failed, sum(cancelled) AS cancelled,
  sum(spent_nanos) AS "customerNanos", sum(provider_nanos) AS "providerNanos"`;

const COLUMNS = {
  ...USAGE_COLUMNS,
  hour: Prisma.sql`hour`,
  day: Prisma.sql`(hour AT TIME ZONE 'UTC')::date`,
};

const READ = Prisma.sql`project_id, api_key_id, model, provider, calls, failures, cancelled, input_tokens, cached_input_tokens,
  cache_write_tokens, output_tokens, reasoning_tokens, spent_nanos, provider_nanos, duration_bounds, ttft_bounds`;

/** The calls of the range: the sums of each hour, or its minutes where they changed since, or were never summed up. */
function callsOf(query: MinuteUsageQuery): Prisma.Sql {
  const filters = Prisma.join([...filtersOf(query)], ' AND ');
  const range = Prisma.sql`hour >= ${query.start} AND hour < ${query.end}`;
  const due = Prisma.sql`SELECT hour FROM call_hours_due WHERE organization_id = ${query.organizationId} AND ${range}`;
  return Prisma.sql`(
    SELECT hour, ${READ}, duration_counts, ttft_counts FROM call_hours
    WHERE ${filters} AND ${range} AND hour NOT IN (${due})
    UNION ALL
    SELECT due.hour, ${READ}, duration_counts::bigint[], ttft_counts::bigint[] FROM (${due}) due
    JOIN call_minutes ON minute >= due.hour AND minute < due.hour + interval '1 hour' WHERE ${filters}
  ) ended`;
}
