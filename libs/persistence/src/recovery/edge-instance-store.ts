import { type Database } from '../database/database';

/** Tells the worker which edge processes live. The database's clock decides. */
export class EdgeInstanceStore {
  constructor(private readonly database: Database) {}

  /** Registers the instance, or prolongs its lease, until `leaseMs` from now. */
  async renew(id: string, leaseMs: number): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO edge_instances (id, lease_until) VALUES ($1, now() + $2 * interval '1 ms')
       ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
      [id, leaseMs],
    );
  }

  /** After a clean end: nothing of it is pending. */
  async remove(id: string): Promise<void> {
    await this.database.pool.query('DELETE FROM edge_instances WHERE id = $1', [id]);
  }
}
