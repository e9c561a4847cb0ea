import { type Database, openDatabase } from '@svc/database';

/**
 * Connections for which `now()` is what a spec says, as the functions of the ledger read it. Defaults of columns still
 * read the server's clock.
 */
export class SetClock {
  private constructor(
    private readonly database: Database,
    readonly connections: Database,
  ) {}

  static async open(database: Database, url: string): Promise<SetClock> {
    await database.pool.query(
      `CREATE SCHEMA IF NOT EXISTS clock;
       CREATE TABLE IF NOT EXISTS clock.moment (at timestamptz NOT NULL);
       CREATE OR REPLACE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM clock.moment';`,
    );
    const withClock = new URL(url);
    withClock.searchParams.set('options', '-c search_path=clock,public,pg_catalog');
    return new SetClock(database, openDatabase({ url: withClock.href, poolSize: 5 }));
  }

  async set(at: string): Promise<void> {
    await this.database.pool.query('DELETE FROM clock.moment');
    await this.database.pool.query('INSERT INTO clock.moment VALUES ($1)', [at]);
  }

  close(): Promise<void> {
    return this.connections.close();
  }
}
