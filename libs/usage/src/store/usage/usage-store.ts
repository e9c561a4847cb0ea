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

/** Charges of an organization on its last UTC days, today included, in nanos. A sum has no bound. */
export interface RecentSpend {
  readonly last7Days: bigint;
  readonly last30Days: bigint;
}

/**
 * The usage of organizations, by the days that settlements add to. Calls in flight are not included. That by end users is
 * of calls that have one, and has days, end users and projects only.
 */
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
    const isOfEndUsers = query.endUserId !== undefined || query.groupBy.includes('end_user');
    if (!isOfEndUsers)
      return summarizeUsage(this.database, { ...DAYS, where }, grouped(query, COLUMNS), rowsMax);
    // A row without a call is of a person whose first call has not ended.
    const ended = { ...END_USER_DAYS, where: [...where, Prisma.sql`request_count > 0`] };
    return summarizeUsage(this.database, ended, grouped(query, END_USER_COLUMNS), rowsMax);
  }

  /** @param today in UTC days since 1970. */
  async recentSpend(organizationId: string, today: number): Promise<RecentSpend> {
    const [sums] = await this.database.prisma.$queryRaw<{ week: string; month: string }[]>`
      SELECT coalesce(sum(customer_nanos) FILTER (WHERE day > date '1970-01-01' + ${today - 7}::int), 0)::text AS week,
        coalesce(sum(customer_nanos), 0)::text AS month
      FROM usage_days
      WHERE organization_id = ${organizationId}
        AND day > date '1970-01-01' + ${today - 30}::int AND day <= date '1970-01-01' + ${today}::int`;
    return { last7Days: BigInt(sums?.week ?? 0), last30Days: BigInt(sums?.month ?? 0) };
  }

  /** The newest names of these end users that are kept, by their ids. */
  async namesOf(organizationId: string, endUserIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.prisma.$queryRaw<{ id: string; name: string }[]>`
      SELECT of.id, newest.name
      FROM unnest(${endUserIds}::text[]) AS of (id), LATERAL (
        SELECT e.end_user AS name FROM usage_end_users e
        WHERE e.organization_id = ${organizationId} AND e.end_user_id = of.id AND e.end_user IS NOT NULL
        ORDER BY e.day DESC LIMIT 1
      ) newest`;
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

const COLUMNS = { ...USAGE_COLUMNS, day: Prisma.sql`day`, tag: Prisma.sql`tag` };

const END_USER_COLUMNS = {
  day: Prisma.sql`day`,
  project: Prisma.sql`project_id`,
  end_user: Prisma.sql`end_user_id`,
};

const DAYS = {
  table: Prisma.sql`usage_days`,
  sums: Prisma.sql`sum(request_count) AS requests, sum(failed_count) AS failed, sum(cancelled_count) AS cancelled,
    sum(customer_nanos) AS "customerNanos", sum(provider_nanos) AS "providerNanos"`,
};

const END_USER_DAYS = { ...DAYS, table: Prisma.sql`usage_end_users` };
