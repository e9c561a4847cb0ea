import { type Database } from '../database/database';
import { Prisma } from '../generated/prisma/client';
import { filtersOf, grouped, USAGE_COLUMNS, type UsageGroup, type UsageQuery } from '../usage/usage-query';
import { summarizeUsage, type UsageRow } from '../usage/usage-row';

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
  summarize(query: MinuteUsageQuery, rowsMax: number): Promise<readonly UsageRow[]> {
    // Other rows say only that a provider was asked.
    const where = [...inRange(query), Prisma.sql`calls > 0`];
    return summarizeUsage(this.database, { ...MINUTES, where }, grouped(query, COLUMNS), rowsMax);
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
        FROM call_minutes CROSS JOIN LATERAL ${histogram} AS h (bound, count)
        WHERE ${Prisma.join([...inRange(query)], ' AND ')}
        GROUP BY ${tableKeys}, h.bound
      ) s ${join}
      GROUP BY ${Prisma.join([...keys])}`;
  }
}

const MINUTES = {
  table: Prisma.sql`call_minutes`,
  sums: Prisma.sql`sum(calls) AS requests, sum(failures) AS failed, sum(cancelled) AS cancelled,
    sum(spent_nanos) AS "customerNanos"`,
};

const COLUMNS = {
  ...USAGE_COLUMNS,
  hour: Prisma.sql`date_bin('1 hour', minute, timestamptz 'epoch')`,
  day: Prisma.sql`(minute AT TIME ZONE 'UTC')::date`,
};

const inRange = (query: MinuteUsageQuery): readonly Prisma.Sql[] => [
  ...filtersOf(query),
  Prisma.sql`minute >= ${query.start} AND minute < ${query.end}`,
];
