import { type Pool, type PoolClient } from 'pg';

/** A connection of the pool, which has a transaction open. */
export type PoolConnection = PoolClient;

/**
 * Runs `work` in a transaction on a connection of the pool. When it throws, nothing is committed.
 * @throws the failure of `work`, or of its commit.
 */
export async function inPoolTransaction<T>(
  pool: Pool,
  work: (client: PoolConnection) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // The pool handles errors of idle connections only. Without this listener, an error between two statements would
  // end the process.
  client.on('error', ignore);
  let isDone = false;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    isDone = true;
    return result;
  } finally {
    client.off('error', ignore);
    // Closes the connection after a failure, because its state is unknown.
    client.release(!isDone);
  }
}

const ignore = (): void => undefined;
