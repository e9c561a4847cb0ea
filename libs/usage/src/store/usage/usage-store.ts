import { type Database } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { filtersOf, grouped, USAGE_COLUMNS, type UsageQuery } from './usage-query';
import { summarizeUsage, type UsageRow } from './usage-row';

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
  summarize(query: DayUsageQuery, rowsMax: number): Promise<readonly UsageRow[]> {
    const { firstDay, endDay } = query;
    const where = [
      ...filtersOf(query),
      Prisma.sql`day >= date '1970-01-01' + ${firstDay}::int AND day < date '1970-01-01' + ${endDay}::int`,
    ];
    return summarizeUsage(this.database, { ...DAYS, where }, grouped(query, COLUMNS), rowsMax);
  }
}

const COLUMNS = { ...USAGE_COLUMNS, day: Prisma.sql`day`, tag: Prisma.sql`tag` };

const DAYS = {
  table: Prisma.sql`usage_days`,
  sums: Prisma.sql`sum(request_count) AS requests, sum(failed_count) AS failed, sum(cancelled_count) AS cancelled,
    sum(customer_nanos) AS "customerNanos"`,
};
