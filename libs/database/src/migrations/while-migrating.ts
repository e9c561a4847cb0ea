import { setTimeout as wait } from 'node:timers/promises';
import { type Client } from 'pg';

/** Key of the advisory lock of whoever migrates a database. */
const MIGRATION_LOCK = 72_707_369;
const RETRY_MS = 200;

/**
 * Does the work while no other process migrates this database. Held by the session, because what runs CONCURRENTLY runs
 * outside of transactions.
 *
 * It asks again and again, and does not wait within PostgreSQL: an index that is built CONCURRENTLY waits for every
 * statement that is under way, so also for one that waits for this lock.
 */
export async function whileMigrating(
  client: Client,
  onLine: (line: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  for (let tries = 0; !(await lock(client)); tries++) {
    if (tries === 0) onLine('waits for another process that migrates this database');
    await wait(RETRY_MS);
  }
  try {
    await work();
  } finally {
    // A broken connection has given it up already.
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
  }
}

async function lock(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_try_advisory_lock($1) AS locked WHERE locked', [
    MIGRATION_LOCK,
  ]);
  return rowCount === 1;
}
