import { type Database } from '@svc/database';
import { amountColumn, type CallSums, sumsOf, writeMinutes } from './minute-rows';

/** The sums of an edge over the calls that ended in one minute. */
export interface CallMinute extends CallSums {
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
  /** How often the provider was asked, also where another one answered the call. */
  readonly tries: number;
}

/** Sums of calls by the minute (docs/decisions/0032). */
export class CallMinuteStore {
  constructor(private readonly database: Database) {}

  /** See {@link writeMinutes}: each call raises `calls` or `tries`. */
  async write(minutes: readonly CallMinute[]): Promise<void> {
    await this.database.pool.query({
      name: 'write_call_minutes',
      text: WRITE,
      values: [JSON.stringify(minutes.map(rowOf))],
    });
  }
}

const WRITE = writeMinutes({
  name: 'call_minutes',
  key: {
    organization_id: 'text',
    minute: 'timestamptz',
    project_id: 'text',
    api_key_id: 'text',
    model: 'text',
    provider: 'text',
    writer_id: 'uuid',
  },
  sums: { tries: 'int', spent_nanos: 'bigint' },
  growing: ['calls', 'tries'],
});

const rowOf = (minute: CallMinute) => ({
  organization_id: minute.organizationId,
  minute: new Date(minute.minuteMs),
  project_id: minute.projectId ?? '',
  api_key_id: minute.apiKeyId,
  model: minute.model,
  provider: minute.provider ?? '',
  writer_id: minute.writerId,
  ...sumsOf(minute),
  tries: minute.tries,
  spent_nanos: amountColumn(minute.spentNanos),
});
