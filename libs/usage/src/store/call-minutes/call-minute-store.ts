import { type Database } from '@svc/database';
import { amountColumn, occurring } from './sum-columns';

/** What an edge added up of the calls that ended in one minute. Counts of times are by the number of their bound. */
export interface CallMinute {
  /** A UUID, of one run of an edge: nobody else writes a row with it. */
  readonly writerId: string;
  readonly organizationId: string;
  /** Unix milliseconds of the start of the UTC minute. */
  readonly minuteMs: number;
  /** Null: calls without a project. */
  readonly projectId: string | null;
  readonly apiKeyId: string;
  /** The model that was charged. */
  readonly model: string;
  /** Null: calls that no provider answered. */
  readonly provider: string | null;
  readonly calls: number;
  readonly failures: number;
  readonly cancelled: number;
  /** How often the provider was asked, also where another one answered the call. */
  readonly tries: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly spentNanos: number;
  /** What own accounts at providers paid. Absent for nothing. */
  readonly providerNanos?: number;
  readonly durations: ArrayLike<number>;
  readonly timesToFirstToken: ArrayLike<number>;
}

/** Sums of calls by the minute (docs/decisions/0032). */
export class CallMinuteStore {
  constructor(private readonly database: Database) {}

  /**
   * Writes sums in place of those that were written before. A statement that is sent again changes nothing, and one that
   * comes late, after a newer one, lowers nothing: each call raises `calls` or `tries`.
   */
  async write(minutes: readonly CallMinute[]): Promise<void> {
    await this.database.pool.query({
      name: 'write_call_minutes',
      text: WRITE,
      values: [JSON.stringify(minutes.map(rowOf))],
    });
  }
}

const KEY = ['organization_id', 'minute', 'project_id', 'api_key_id', 'model', 'provider', 'writer_id'];
const SUMS = {
  calls: 'int',
  failures: 'int',
  cancelled: 'int',
  tries: 'int',
  input_tokens: 'bigint',
  cached_input_tokens: 'bigint',
  cache_write_tokens: 'bigint',
  output_tokens: 'bigint',
  reasoning_tokens: 'bigint',
  spent_nanos: 'bigint',
  provider_nanos: 'bigint',
  duration_bounds: 'smallint[]',
  duration_counts: 'int[]',
  ttft_bounds: 'smallint[]',
  ttft_counts: 'int[]',
};
const COLUMNS = [...KEY, ...Object.keys(SUMS)].join(', ');

const WRITE = `
  INSERT INTO call_minutes AS m (${COLUMNS})
  SELECT ${COLUMNS} FROM jsonb_to_recordset($1) AS r (organization_id text, minute timestamptz, project_id text, api_key_id text,
    model text, provider text, writer_id uuid, ${Object.entries(SUMS)
      .map((column) => column.join(' '))
      .join(', ')})
  ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET
    ${Object.keys(SUMS)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}
  WHERE m.calls < excluded.calls OR m.tries < excluded.tries`;

function rowOf(minute: CallMinute) {
  const durations = occurring(minute.durations);
  const timesToFirstToken = occurring(minute.timesToFirstToken);
  return {
    organization_id: minute.organizationId,
    minute: new Date(minute.minuteMs),
    project_id: minute.projectId ?? '',
    api_key_id: minute.apiKeyId,
    model: minute.model,
    provider: minute.provider ?? '',
    writer_id: minute.writerId,
    calls: minute.calls,
    failures: minute.failures,
    cancelled: minute.cancelled,
    tries: minute.tries,
    input_tokens: amountColumn(minute.inputTokens),
    cached_input_tokens: amountColumn(minute.cachedInputTokens),
    cache_write_tokens: amountColumn(minute.cacheWriteTokens),
    output_tokens: amountColumn(minute.outputTokens),
    reasoning_tokens: amountColumn(minute.reasoningTokens),
    spent_nanos: amountColumn(minute.spentNanos),
    provider_nanos: amountColumn(minute.providerNanos ?? 0),
    duration_bounds: durations.bounds,
    duration_counts: durations.counts,
    ttft_bounds: timesToFirstToken.bounds,
    ttft_counts: timesToFirstToken.counts,
  };
}
