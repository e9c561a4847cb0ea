import { type Database } from '@svc/database';

/** A pending call that no process runs. */
export interface AbandonedCall {
  readonly id: string;
  readonly organizationId: string;
  readonly model: string;
  readonly createdAt: Date;
}

export class RequestRecordStore {
  constructor(private readonly database: Database) {}

  /**
   * Pending calls of lost processes, oldest first. A process is lost when its lease has lapsed, or is unknown, and the
   * database has accepted writes without a gap for as long as a lease lasts.
   */
  async findAbandoned(limit: number): Promise<readonly AbandonedCall[]> {
    const { rows } = await this.database.pool.query<AbandonedCall>(
      `SELECT id, organization_id AS "organizationId", model, created_at AS "createdAt"
       FROM request_records r
       WHERE status = 'pending' AND (SELECT leases_are_proof()) AND NOT EXISTS (
         SELECT FROM edge_instances e WHERE e.id = r.edge_instance_id AND e.lease_until > clock_timestamp())
       ORDER BY id LIMIT $1`,
      [limit],
    );
    return rows;
  }

  /** The API key that made a call; null for an unknown call. */
  async keyOf(organizationId: string, requestId: string): Promise<string | null> {
    const { rows } = await this.database.pool.query<{ apiKeyId: string }>(
      'SELECT api_key_id AS "apiKeyId" FROM request_records WHERE organization_id = $1 AND id = $2',
      [organizationId, requestId],
    );
    return rows[0]?.apiKeyId ?? null;
  }

  /** Pending calls of one process that began longer ago than `ageMs`, oldest first. */
  async findPendingOf(edgeInstanceId: string, ageMs: number): Promise<readonly AbandonedCall[]> {
    const { rows } = await this.database.pool.query<AbandonedCall>(
      `SELECT id, organization_id AS "organizationId", model, created_at AS "createdAt"
       FROM request_records
       WHERE status = 'pending' AND edge_instance_id = $1 AND created_at < now() - $2 * interval '1 ms'
       ORDER BY id`,
      [edgeInstanceId, ageMs],
    );
    return rows;
  }

  /**
   * Makes costs final that were observed longer ago than the settle window (docs/reference/money.md#cost-states).
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
