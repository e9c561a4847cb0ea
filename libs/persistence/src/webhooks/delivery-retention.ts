import { PARKED_DELIVERY_LIFETIME_MS } from '@svc/events';
import { type Clock, formatId, ID_ENTROPY_BYTES, type IdKind } from '@svc/kernel';
import { systemClock } from '@svc/platform';
import { type Database } from '../database/database';

/** The ends that no attempt brings: deliveries that waited too long, and history that is too old. */
export class DeliveryRetention {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Makes deliveries dead that have been due for 30 days and whose endpoint is paused or disabled all the while, and those of
   * endpoints that were deleted (contract.md section 8).
   * @returns how many, `limit` at most.
   */
  async expireWaiting(limit: number): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `WITH expired AS MATERIALIZED (
         SELECT waiting.id FROM webhook_endpoints e CROSS JOIN LATERAL (
           SELECT d.id FROM webhook_deliveries d
           WHERE d.endpoint_id = e.id AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL
             AND (e.deleted_at IS NOT NULL OR d.next_attempt_at < now() - $1 * interval '1 ms')
           ORDER BY d.next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ) waiting
         WHERE NOT e.enabled OR e.deleted_at IS NOT NULL LIMIT $2)
       UPDATE webhook_deliveries d SET status = 'dead', next_attempt_at = NULL, updated_at = now()
       FROM expired WHERE d.id = expired.id`,
      [PARKED_DELIVERY_LIFETIME_MS, limit],
    );
    return rowCount ?? 0;
  }

  /**
   * Forgets deliveries, with their attempts, that were made longer ago than `ageMs` and have ended.
   * @returns how many, `limit` at most.
   */
  async deleteEnded(ageMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
         SELECT id FROM webhook_deliveries WHERE id < $1 AND status IN ('succeeded', 'dead') AND lease_id IS NULL
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [this.firstIdAfter('webhookDelivery', ageMs), limit],
    );
    return rowCount ?? 0;
  }

  /**
   * Forgets events as old that no delivery needs any more.
   * @returns how many, `limit` at most.
   */
  async deleteUndelivered(ageMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `DELETE FROM webhook_events WHERE id = ANY (ARRAY(
         SELECT id FROM webhook_events e
         WHERE id < $1 AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id)
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [this.firstIdAfter('event', ageMs), limit],
    );
    return rowCount ?? 0;
  }

  /** Ids sort by the time they were made, so that age needs no index of its own. */
  private firstIdAfter(kind: IdKind, ageMs: number): string {
    return formatId(kind, this.clock.now() - ageMs, new Uint8Array(ID_ENTROPY_BYTES));
  }
}
