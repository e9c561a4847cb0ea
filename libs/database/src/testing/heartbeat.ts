import { type Database } from '../database/database';

/** Sets the time of the worker's last beat, and how long before it the database had accepted writes without a gap. */
export async function heartbeatWas(
  { pool }: Database,
  { writableForMs = 60_000, beatenAgoMs = 0 }: { writableForMs?: number; beatenAgoMs?: number } = {},
): Promise<void> {
  await pool.query(
    `UPDATE database_heartbeat SET beaten_at = clock_timestamp() - $2 * interval '1 ms',
       writable_since = clock_timestamp() - ($1 + $2) * interval '1 ms'`,
    [writableForMs, beatenAgoMs],
  );
}
