import { type CreatedWithin, type Database, type HistoryTable, isAnyOf, readHistory } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { nanos, timeOfId, type Page, type Slice } from '@svc/kernel';
import { type TokenUsage } from '@svc/protocol';
import { type RequestRecord } from './request-record';

/** A call passes each filter that is given; of one with several values, any. */
export interface RequestFilter extends CreatedWithin {
  readonly projectIds?: readonly string[] | undefined;
  readonly apiKeyIds?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly providers?: readonly string[] | undefined;
  readonly statuses?: readonly RequestRecord['status'][] | undefined;
  /** True where the call counts as failed in usage. */
  readonly failed?: boolean | undefined;
  readonly httpStatuses?: readonly number[] | undefined;
  readonly errorCodes?: readonly string[] | undefined;
  readonly stream?: boolean | undefined;
  readonly sessionId?: string | undefined;
  readonly attemptsMin?: number | undefined;
  readonly costMinNanos?: number | undefined;
  readonly durationMinMs?: number | undefined;
  readonly ttftMinMs?: number | undefined;
  readonly traceId?: string | undefined;
  readonly user?: string | undefined;
  /** By the id. */
  readonly endUserId?: string | undefined;
  /** Each of these names has this value. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The calls of an organization, for display. The edge and the worker read them elsewhere. */
export class RequestHistory {
  constructor(private readonly database: Database) {}

  /** Newest first. A page scans a bounded number of calls, however few match. */
  async listRequests(
    organizationId: string,
    page: Page,
    filter: RequestFilter,
  ): Promise<Slice<RequestRecord>> {
    const query = { organizationId, page, within: filter, conditions: conditionsOf(filter) };
    const { items, ...rest } = await readHistory<Row>(this.database, requestRecords, query);
    return { ...rest, items: items.map(toRecord) };
  }

  async findRequest(organizationId: string, id: string): Promise<RequestRecord | null> {
    const [row] = await this.database.prisma.$queryRaw<Row[]>`
      SELECT ${columns} FROM request_records WHERE organization_id = ${organizationId} AND id = ${id}`;
    return row === undefined ? null : toRecord(row);
  }
}

const columns = Prisma.sql`id, organization_id AS "organizationId", project_id AS "projectId", api_key_id AS "apiKeyId",
  route, model, stream, status, provider, http_status AS "httpStatus", error_code AS "errorCode", attempts,
  input_tokens AS "inputTokens", cached_input_tokens AS "cachedInputTokens", cache_write_tokens AS "cacheWriteTokens",
  output_tokens AS "outputTokens", reasoning_tokens AS "reasoningTokens", customer_nanos AS "customerNanos",
  provider_nanos AS "providerNanos",
  cost_state AS "costState", held_nanos AS "heldNanos",
  session_id AS "sessionId", policy_version AS "policyVersion",
  project_policy_version AS "projectPolicyVersion", key_policy_version AS "keyPolicyVersion", explanation, ttft_ms AS "ttftMs", duration_ms AS "durationMs",
  trace_id AS "traceId", labels, usage_tag AS "usageTag",
  end_user_id AS "endUserId", end_user AS "endUser",
  (SELECT t.id FROM ledger_transfers t WHERE t.request_id = request_records.id AND t.kind = 'charge') AS "transactionId"`;

export const requestRecords: HistoryTable = {
  name: Prisma.sql`request_records`,
  idKind: 'request',
  columns,
  isPartitioned: true,
};

const listed = {
  projectIds: Prisma.sql`project_id`,
  apiKeyIds: Prisma.sql`api_key_id`,
  models: Prisma.sql`model`,
  providers: Prisma.sql`provider`,
  statuses: Prisma.sql`status`,
  httpStatuses: Prisma.sql`http_status`,
  errorCodes: Prisma.sql`error_code`,
};
const equal = {
  stream: Prisma.sql`stream`,
  sessionId: Prisma.sql`session_id`,
  traceId: Prisma.sql`trace_id`,
  endUserId: Prisma.sql`end_user_id`,
};
const atLeast = {
  attemptsMin: Prisma.sql`jsonb_array_length(attempts)`,
  costMinNanos: Prisma.sql`customer_nanos`,
  durationMinMs: Prisma.sql`duration_ms`,
  ttftMinMs: Prisma.sql`ttft_ms`,
};

/** Usage counts by the same rule when a call ends (libs/database/sql/ledger/settle_calls.sql). A pending call has no error. */
const HAS_FAILED = Prisma.sql`(error_code IS NOT NULL AND coalesce(http_status = 429 OR http_status NOT BETWEEN 400 AND 499, true))`;

function conditionsOf(filter: RequestFilter): readonly Prisma.Sql[] {
  return [
    ...given(listed, filter, (column, values) => isAnyOf(column, values)),
    ...given(equal, filter, (column, value) => Prisma.sql`${column} = ${value}`),
    ...given(atLeast, filter, (column, value) => Prisma.sql`${column} >= ${BigInt(value)}::bigint`),
    ...(filter.failed === undefined ? [] : [Prisma.sql`${HAS_FAILED} = ${filter.failed}`]),
    ...labelConditions(filter),
  ];
}

/** The conditions of those filters that are given. */
function given<Name extends keyof RequestFilter>(
  columns: Readonly<Record<Name, Prisma.Sql>>,
  filter: RequestFilter,
  condition: (column: Prisma.Sql, value: NonNullable<RequestFilter[Name]>) => Prisma.Sql,
): readonly Prisma.Sql[] {
  return (Object.keys(columns) as Name[]).flatMap((name) => {
    const value = filter[name];
    return value == null ? [] : [condition(columns[name], value)];
  });
}

function labelConditions({ user, metadata }: RequestFilter): readonly Prisma.Sql[] {
  if (user === undefined && metadata === undefined) return [];
  return [Prisma.sql`labels @> ${JSON.stringify({ user, metadata })}::jsonb`];
}

type Row = Omit<RequestRecord, 'createdAt' | 'usage' | 'held' | 'customerNanos' | 'providerNanos'> &
  TokenUsage & {
    readonly heldNanos: bigint;
    readonly customerNanos: bigint;
    readonly providerNanos: bigint;
  };

const toRecord = (row: Row): RequestRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  projectId: row.projectId,
  apiKeyId: row.apiKeyId,
  route: row.route,
  model: row.model,
  stream: row.stream,
  sessionId: row.sessionId,
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
  held: nanos(row.heldNanos),
  customerNanos: nanos(row.customerNanos),
  providerNanos: nanos(row.providerNanos),
  transactionId: row.transactionId,
  costState: row.costState,
  ttftMs: row.ttftMs,
  durationMs: row.durationMs,
  traceId: row.traceId,
  labels: row.labels,
  usageTag: row.usageTag,
  endUserId: row.endUserId,
  endUser: row.endUser,
  policyVersion: row.policyVersion,
  projectPolicyVersion: row.projectPolicyVersion,
  keyPolicyVersion: row.keyPolicyVersion,
  explanation: row.explanation,
});
