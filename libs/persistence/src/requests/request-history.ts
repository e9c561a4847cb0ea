import { nanos, timeOfId, type Page, type Slice } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';
import { type Database } from '../database/database';
import { Prisma } from '../generated/prisma/client';
import { readHistory, type CreatedWithin, type HistoryTable } from '../history/history-page';
import { type RequestRecord } from './request-record';

export interface RequestFilter extends CreatedWithin {
  readonly projectId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly status?: RequestRecord['status'] | undefined;
  readonly httpStatus?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly stream?: boolean | undefined;
  readonly traceId?: string | undefined;
  readonly user?: string | undefined;
  /** Each of these names has this value. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The calls of an organization, for display. The edge and the worker read them elsewhere. */
export class RequestHistory {
  constructor(private readonly database: Database) {}

  /** Newest first. A page scans a bounded number of calls, however few match. */
  async list(organizationId: string, page: Page, filter: RequestFilter): Promise<Slice<RequestRecord>> {
    const query = { organizationId, page, within: filter, conditions: conditionsOf(filter) };
    const { items, ...rest } = await readHistory<Row>(this.database, requestRecords, query);
    return { ...rest, items: items.map(toRecord) };
  }

  async find(organizationId: string, id: string): Promise<RequestRecord | null> {
    const [row] = await this.database.prisma.$queryRaw<Row[]>`
      SELECT ${columns} FROM request_records WHERE organization_id = ${organizationId} AND id = ${id}`;
    return row === undefined ? null : toRecord(row);
  }
}

const columns = Prisma.sql`id, organization_id AS "organizationId", project_id AS "projectId", api_key_id AS "apiKeyId",
  route, model, stream, status, provider, http_status AS "httpStatus", error_code AS "errorCode", attempts,
  input_tokens AS "inputTokens", cached_input_tokens AS "cachedInputTokens", cache_write_tokens AS "cacheWriteTokens",
  output_tokens AS "outputTokens", reasoning_tokens AS "reasoningTokens", customer_nanos AS "customerNanos",
  cost_state AS "costState", ttft_ms AS "ttftMs", duration_ms AS "durationMs",
  trace_id AS "traceId", labels, usage_tag AS "usageTag"`;

export const requestRecords: HistoryTable = {
  name: Prisma.sql`request_records`,
  idKind: 'request',
  columns,
  isPartitioned: true,
};

const filterColumns = {
  projectId: Prisma.sql`project_id`,
  apiKeyId: Prisma.sql`api_key_id`,
  model: Prisma.sql`model`,
  provider: Prisma.sql`provider`,
  status: Prisma.sql`status`,
  httpStatus: Prisma.sql`http_status`,
  errorCode: Prisma.sql`error_code`,
  stream: Prisma.sql`stream`,
  traceId: Prisma.sql`trace_id`,
};

const filterNames = Object.keys(filterColumns) as (keyof typeof filterColumns)[];

const conditionsOf = (filter: RequestFilter): readonly Prisma.Sql[] => [
  ...filterNames
    .filter((name) => filter[name] !== undefined)
    .map((name) => Prisma.sql`${filterColumns[name]} = ${filter[name]}`),
  ...labelConditions(filter),
];

function labelConditions({ user, metadata }: RequestFilter): readonly Prisma.Sql[] {
  if (user === undefined && metadata === undefined) return [];
  return [Prisma.sql`labels @> ${JSON.stringify({ user, metadata })}::jsonb`];
}

type Row = Omit<RequestRecord, 'createdAt' | 'usage' | 'customerNanos'> &
  TokenUsage & { readonly customerNanos: bigint };

const toRecord = (row: Row): RequestRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  projectId: row.projectId,
  apiKeyId: row.apiKeyId,
  route: row.route,
  model: row.model,
  stream: row.stream,
  status: row.status,
  createdAt: new Date(timeOfId(row.id)),
  provider: row.provider,
  httpStatus: row.httpStatus,
  errorCode: row.errorCode,
  attempts: row.attempts,
  usage: {
    inputTokens: row.inputTokens,
    cachedInputTokens: row.cachedInputTokens,
    cacheWriteTokens: row.cacheWriteTokens,
    outputTokens: row.outputTokens,
    reasoningTokens: row.reasoningTokens,
  },
  customerNanos: nanos(row.customerNanos),
  costState: row.costState,
  ttftMs: row.ttftMs,
  durationMs: row.durationMs,
  traceId: row.traceId,
  labels: row.labels,
  usageTag: row.usageTag,
});
