import { type Database } from '@svc/database';
import { type CallMinute } from '../call-minutes/call-minute-store';
import { amountColumn, occurring } from '../call-minutes/sum-columns';

/** `treatment`: the calls that a rollout moved. `control`: those of its model that it did not take. */
export type RolloutArm = 'treatment' | 'control';

/** What an edge added up of the calls of a rollout that ended in one minute. */
export interface RolloutMinute extends Omit<
  CallMinute,
  'organizationId' | 'projectId' | 'apiKeyId' | 'model' | 'provider' | 'tries'
> {
  readonly rolloutId: string;
  readonly arm: RolloutArm;
  /** What the organization's own accounts at providers are charged. */
  readonly providerNanos: number;
}

/** Sums of the calls of rollouts by the minute (docs/decisions/0067). */
export class RolloutMinuteStore {
  constructor(private readonly database: Database) {}

  /** As `CallMinuteStore` writes: a statement that is sent again, or comes late, changes nothing. */
  async write(minutes: readonly RolloutMinute[]): Promise<void> {
    await this.database.pool.query({
      name: 'write_rollout_minutes',
      text: WRITE,
      values: [JSON.stringify(minutes.map(rowOf))],
    });
  }
}

const KEY = ['rollout_id', 'minute', 'arm', 'writer_id'];
const SUMS = {
  calls: 'int',
  failures: 'int',
  cancelled: 'int',
  input_tokens: 'bigint',
  cached_input_tokens: 'bigint',
  cache_write_tokens: 'bigint',
  output_tokens: 'bigint',
  reasoning_tokens: 'bigint',
  customer_nanos: 'bigint',
  provider_nanos: 'bigint',
  duration_bounds: 'smallint[]',
  duration_counts: 'int[]',
  ttft_bounds: 'smallint[]',
  ttft_counts: 'int[]',
};
const COLUMNS = [...KEY, ...Object.keys(SUMS)].join(', ');

const WRITE = `
  INSERT INTO rollout_minutes AS m (${COLUMNS})
  SELECT ${COLUMNS} FROM jsonb_to_recordset($1) AS r (rollout_id text, minute timestamptz, arm text, writer_id uuid,
    ${Object.entries(SUMS)
      .map((column) => column.join(' '))
      .join(', ')})
  ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET
    ${Object.keys(SUMS)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}
  WHERE m.calls < excluded.calls`;

function rowOf(minute: RolloutMinute) {
  const durations = occurring(minute.durations);
  const timesToFirstToken = occurring(minute.timesToFirstToken);
  return {
    rollout_id: minute.rolloutId,
    minute: new Date(minute.minuteMs),
    arm: minute.arm,
    writer_id: minute.writerId,
    calls: minute.calls,
    failures: minute.failures,
    cancelled: minute.cancelled,
    input_tokens: amountColumn(minute.inputTokens),
    cached_input_tokens: amountColumn(minute.cachedInputTokens),
    cache_write_tokens: amountColumn(minute.cacheWriteTokens),
    output_tokens: amountColumn(minute.outputTokens),
    reasoning_tokens: amountColumn(minute.reasoningTokens),
    customer_nanos: amountColumn(minute.spentNanos),
    provider_nanos: amountColumn(minute.providerNanos),
    duration_bounds: durations.bounds,
    duration_counts: durations.counts,
    ttft_bounds: timesToFirstToken.bounds,
    ttft_counts: timesToFirstToken.counts,
  };
}
