import { type Database } from '../database/database';

/** A call whose process is gone. */
export interface AbandonedCall {
  readonly id: string;
  readonly organizationId: string;
  readonly model: string;
  readonly createdAt: Date;
}

export class RequestRecordStore {
  constructor(private readonly database: Database) {}

  /** Pending calls whose instance's lease has expired or is unknown, oldest first. */
  async findAbandoned(limit: number): Promise<readonly AbandonedCall[]> {
    const { rows } = await this.database.pool.query<AbandonedCall>(
      `SELECT id, organization_id AS "organizationId", model, created_at AS "createdAt"
       FROM request_records r
       WHERE status = 'pending' AND NOT EXISTS (
         SELECT FROM edge_instances e WHERE e.id = r.edge_instance_id AND e.lease_until > now())
       ORDER BY id LIMIT $1`,
      [limit],
    );
    return rows;
  }

  /**
   * Makes costs final that were observed longer ago than the settle window (contract.md section 10).
   * @returns how many.
   */
  async finaliseProvisional(settleWindowMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE request_records SET cost_state = 'final'
       WHERE id = ANY (ARRAY(
         SELECT id FROM request_records
         WHERE cost_state = 'provisional' AND finished_at <= now() - $1 * interval '1 ms'
         ORDER BY finished_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [settleWindowMs, limit],
    );
    return rowCount ?? 0;
  }
}
