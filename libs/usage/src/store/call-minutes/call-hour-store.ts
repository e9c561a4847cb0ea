import { type Database, type PoolConnection } from '@svc/database';

interface DueHour {
  readonly organizationId: string;
  readonly hour: Date;
}

/** Sums of calls by the hour (docs/decisions/0031). */
export class CallHourStore {
  constructor(private readonly database: Database) {}

  /**
   * Sums up hours that are over and whose minutes did not change for `quietMs`, the oldest first. Any number of workers share
   * it: an hour that another one has is skipped.
   * @returns how many hours, `limit` at most.
   */
  async sumUp(limit: number, quietMs: number): Promise<number> {
    const client = await this.database.background.connect();
    try {
      await client.query('BEGIN');
      const due = await lockDue(client, limit, quietMs);
      // A statement of its own after the lock: it sees every minute of these hours that was committed before.
      if (due.length > 0) await sumUp(client, due);
      await client.query('COMMIT');
      return due.length;
    } catch (error) {
      // The connection may be what failed.
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }
}

async function lockDue(client: PoolConnection, limit: number, quietMs: number): Promise<readonly DueHour[]> {
  const { rows } = await client.query<DueHour>(
    `SELECT organization_id AS "organizationId", hour FROM call_hours_due
     WHERE hour <= now() - interval '1 hour' AND changed_at <= now() - $2 * interval '1 ms'
     ORDER BY hour LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit, quietMs],
  );
  return rows;
}

async function sumUp(client: PoolConnection, due: readonly DueHour[]): Promise<void> {
  const hours = [due.map(({ organizationId }) => organizationId), due.map(({ hour }) => hour)];
  for (const statement of [DELETE_SUMS, INSERT_SUMS, DELETE_DUE]) await client.query(statement, hours);
}

const DUE = 'unnest($1::text[], $2::timestamptz[]) AS due (organization_id, hour)';
const DELETE_SUMS = `DELETE FROM call_hours h USING ${DUE}
  WHERE h.organization_id = due.organization_id AND h.hour = due.hour`;
const DELETE_DUE = `DELETE FROM call_hours_due d USING ${DUE}
  WHERE d.organization_id = due.organization_id AND d.hour = due.hour`;

const KEY = 'organization_id, hour, project_id, api_key_id, model, provider';
const SUMS = [
  'calls',
  'failures',
  'cancelled',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'spent_nanos',
  'provider_nanos',
];

/** The histograms of each key, added up. */
const added = (kind: 'duration' | 'ttft') => `(
    SELECT ${KEY}, array_agg(bound ORDER BY bound) AS ${kind}_bounds, array_agg(count ORDER BY bound) AS ${kind}_counts
    FROM (
      SELECT ${KEY}, h.bound, sum(h.count)::bigint AS count
      FROM minutes CROSS JOIN LATERAL unnest(${kind}_bounds, ${kind}_counts) AS h (bound, count)
      GROUP BY ${KEY}, h.bound
    ) counted GROUP BY ${KEY}
  ) ${kind}s`;

// Minutes without calls say only that a provider was asked, which is not usage.
const INSERT_SUMS = `
  WITH minutes AS MATERIALIZED (
    SELECT due.hour, m.* FROM ${DUE} JOIN call_minutes m
      ON m.organization_id = due.organization_id AND m.minute >= due.hour AND m.minute < due.hour + interval '1 hour'
    WHERE m.calls > 0
  )
  INSERT INTO call_hours (${KEY}, ${SUMS.join(', ')}, duration_bounds, duration_counts, ttft_bounds, ttft_counts)
  SELECT ${KEY}, ${SUMS.join(', ')}, coalesce(duration_bounds, '{}'), coalesce(duration_counts, '{}'),
    coalesce(ttft_bounds, '{}'), coalesce(ttft_counts, '{}')
  FROM (
    SELECT ${KEY}, ${SUMS.map((column) => `sum(${column}) AS ${column}`).join(', ')} FROM minutes GROUP BY ${KEY}
  ) sums
  LEFT JOIN ${added('duration')} USING (${KEY})
  LEFT JOIN ${added('ttft')} USING (${KEY})`;
