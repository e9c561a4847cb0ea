import { type Database } from '@svc/database';

/** The leases of edge processes, by which the worker knows which are alive. Times are by the database's clock. */
export class EdgeInstanceStore {
  constructor(private readonly database: Database) {}

  /**
   * Registers the instance, or renews its lease, until `leaseMs` from now.
   * @param platformProviders the names of the providers that it has a credential of the platform for.
   */
  async renewEdgeInstance(
    id: string,
    leaseMs: number,
    platformProviders: readonly string[] = [],
  ): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO edge_instances (id, lease_until, platform_providers)
       VALUES ($1, clock_timestamp() + $2 * interval '1 ms', $3)
       ON CONFLICT (id) DO UPDATE SET
         lease_until = excluded.lease_until, platform_providers = excluded.platform_providers`,
      [id, leaseMs, platformProviders],
    );
  }

  /** To be called after a clean end, with no call of the instance pending. */
  async removeEdgeInstance(id: string): Promise<void> {
    await this.database.pool.query('DELETE FROM edge_instances WHERE id = $1', [id]);
  }
}
