import { type Database } from '@svc/database';
import { amountColumn, type CallSums, sumsOf, writeMinutes } from '../call-minutes/minute-rows';

/** `treatment`: the calls that a rollout moved. `control`: those of its model that it did not take. */
export type RolloutArm = 'treatment' | 'control';

/** The sums of an edge over the calls of a rollout that ended in one minute. */
export interface RolloutMinute extends CallSums {
  /** A UUID, of one run of an edge: nobody else writes a row with it. */
  readonly writerId: string;
  readonly rolloutId: string;
  /** Unix milliseconds of the start of the UTC minute. */
  readonly minuteMs: number;
  readonly arm: RolloutArm;
  /** The amount that own accounts at providers paid. */
  readonly providerNanos: number;
}

/** Sums of the calls of rollouts by the minute (docs/decisions/0067). */
export class RolloutMinuteStore {
  constructor(private readonly database: Database) {}

  /** See {@link writeMinutes}: each call raises `calls`. */
  async write(minutes: readonly RolloutMinute[]): Promise<void> {
    await this.database.pool.query({
      name: 'write_rollout_minutes',
      text: WRITE,
      values: [JSON.stringify(minutes.map(rowOf))],
    });
  }
}

const WRITE = writeMinutes({
  name: 'rollout_minutes',
  key: { rollout_id: 'text', minute: 'timestamptz', arm: 'text', writer_id: 'uuid' },
  sums: { customer_nanos: 'bigint' },
  growing: ['calls'],
});

const rowOf = (minute: RolloutMinute) => ({
  rollout_id: minute.rolloutId,
  minute: new Date(minute.minuteMs),
  arm: minute.arm,
  writer_id: minute.writerId,
  ...sumsOf(minute),
  customer_nanos: amountColumn(minute.spentNanos),
});
