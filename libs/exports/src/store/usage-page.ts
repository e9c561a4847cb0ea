import { Prisma } from '@svc/database/rows';
import { type usageRow } from '../rules/money-rows';
import { type ExportLease } from './export-lease';
import { filterConditions } from './filter-conditions';

type ShownUsage = Parameters<typeof usageRow>[0];
/** As the driver gives it: large integers as text. */
export type UsagePageRow = {
  readonly [Name in keyof ShownUsage]: ShownUsage[Name] extends bigint ? string : ShownUsage[Name];
};

const DAY_MS = 86_400_000;

/** The rows of days that the range touches, by the key of the table: `usage` counts whole UTC days. */
export function usagePage(
  {
    organizationId,
    projectId,
    filter,
    start,
    end,
    createdAt,
  }: Pick<ExportLease, 'organizationId' | 'projectId' | 'filter' | 'start' | 'end' | 'createdAt'>,
  cursor: string | null,
  limit: number,
): Prisma.Sql {
  const firstDay = Math.floor((start?.getTime() ?? 0) / DAY_MS);
  const endDay = Math.ceil(Math.min(end?.getTime() ?? Infinity, createdAt.getTime() + 1) / DAY_MS);
  const conditions = [
    Prisma.sql`organization_id = ${organizationId}`,
    Prisma.sql`day >= date '1970-01-01' + ${firstDay}::int AND day < date '1970-01-01' + ${endDay}::int`,
    ...(cursor === null ? [] : [behind(cursor)]),
    ...filterConditions(filter, projectId),
  ];
  return Prisma.sql`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, project_id AS "projectId", api_key_id AS "apiKeyId", model, provider, tag,
      request_count AS requests, failed_count AS failed, cancelled_count AS cancelled, input_tokens AS "inputTokens",
      cached_input_tokens AS "cachedInputTokens", cache_write_tokens AS "cacheWriteTokens", output_tokens AS "outputTokens",
      reasoning_tokens AS "reasoningTokens", customer_nanos AS "customerNanos", provider_nanos AS "providerNanos"
    FROM usage_days WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY organization_id, usage_days.day, project_id, api_key_id, model, provider, tag LIMIT ${limit}`;
}

function behind(cursor: string): Prisma.Sql {
  const [day, ...rest] = JSON.parse(cursor) as [string, ...string[]];
  return Prisma.sql`(usage_days.day, project_id, api_key_id, model, provider, tag) > (${day}::date, ${Prisma.join(rest)})`;
}
