import { type Database } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type grouped, type UsageGroup } from './usage-query';

export interface UsageCounts {
  readonly requests: bigint;
  /** Those of `requests` that failed, and not because of what the caller had sent. */
  readonly failed: bigint;
  /** Those of `requests` whose caller left. */
  readonly cancelled: bigint;
  readonly inputTokens: bigint;
  readonly cachedInputTokens: bigint;
  readonly cacheWriteTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly customerNanos: bigint;
  /** The amount that own accounts at providers paid. */
  readonly providerNanos: bigint;
}

/** The sums of one group. */
export type UsageRow = UsageGroup & UsageCounts;

/** Large integers, as PostgreSQL answers them. */
type CountTexts = Readonly<Record<keyof UsageCounts, string>>;
type UsageSumRow = UsageGroup & CountTexts;

/**
 * Sums up a table of usage. The newest days or hours come first, and within each (or overall) the most expensive groups.
 * @param from with the sums that tables name differently: `requests`, `failed`, `cancelled`, `customerNanos`, `providerNanos`.
 * @returns at most `rowsMax` rows, and one more where there are too many.
 */
export async function summarizeUsage(
  { prisma }: Database,
  from: { readonly table: Prisma.Sql; readonly sums: Prisma.Sql; readonly where: readonly Prisma.Sql[] },
  { columns, tableKeys, shown, keys, order, join }: ReturnType<typeof grouped>,
  rowsMax: number,
): Promise<readonly UsageRow[]> {
  const rows = await prisma.$queryRaw<UsageSumRow[]>`
    SELECT ${shown}, sum(requests)::text AS requests, sum(failed)::text AS failed, sum(cancelled)::text AS cancelled,
      sum("inputTokens")::text AS "inputTokens", sum("cachedInputTokens")::text AS "cachedInputTokens",
      sum("cacheWriteTokens")::text AS "cacheWriteTokens", sum("outputTokens")::text AS "outputTokens",
      sum("reasoningTokens")::text AS "reasoningTokens", sum("customerNanos")::text AS "customerNanos",
      sum("providerNanos")::text AS "providerNanos"
    FROM (
      SELECT ${columns}, ${from.sums}, sum(input_tokens) AS "inputTokens", sum(cached_input_tokens) AS "cachedInputTokens",
        sum(cache_write_tokens) AS "cacheWriteTokens", sum(output_tokens) AS "outputTokens",
        sum(reasoning_tokens) AS "reasoningTokens"
      FROM ${from.table} WHERE ${Prisma.join([...from.where], ' AND ')}
      GROUP BY ${tableKeys}
    ) s ${join}
    GROUP BY ${Prisma.join([...keys])}
    ORDER BY ${Prisma.join([...order, Prisma.sql`sum("customerNanos") + sum("providerNanos") DESC`, ...keys])} LIMIT ${rowsMax + 1}`;
  return rows.map((row) => ({ ...row, ...countsIn(row) }));
}

export const countsIn = (row: CountTexts): UsageCounts => ({
  requests: BigInt(row.requests),
  failed: BigInt(row.failed),
  cancelled: BigInt(row.cancelled),
  inputTokens: BigInt(row.inputTokens),
  cachedInputTokens: BigInt(row.cachedInputTokens),
  cacheWriteTokens: BigInt(row.cacheWriteTokens),
  outputTokens: BigInt(row.outputTokens),
  reasoningTokens: BigInt(row.reasoningTokens),
  customerNanos: BigInt(row.customerNanos),
  providerNanos: BigInt(row.providerNanos),
});
