import { type Database } from '@svc/database';

/**
 * Proves that the database accepts writes, without which no edge can renew its lease. It is stored in the database, so
 * that a worker that has just started knows of an outage too.
 */
export class DatabaseHeartbeat {
  constructor(private readonly database: Database) {}

  /** To be called every two seconds, by any number of workers. Beats more than ten seconds apart leave a gap. */
  async beat(): Promise<void> {
    await this.database.pool.query('SELECT beat_database_heartbeat()');
  }
}
