import { type Database } from '@svc/database';
import { PARKED_DELIVERY_LIFETIME_MS } from '@svc/events';
import { idPrefixes, type IdKind } from '@svc/kernel';

/** Kinds of receivers, with their tables. */
const targets = [
  { targets: 'webhook_endpoints', deliveries: 'webhook_deliveries', id: 'endpoint_id' },
  { targets: 'integrations', deliveries: 'integration_deliveries', id: 'integration_id' },
] as const;
type Target = (typeof targets)[number];

/** Ends deliveries that waited too long, and deletes history that is too old, by the database's clock. */
export class DeliveryRetention {
  constructor(private readonly database: Database) {}

  /**
   * Marks deliveries as dead when they have been due for 30 days with their endpoint or integration paused or disabled all
   * that time, or when it was deleted (docs/reference/webhooks.md#while-it-is-paused-or-disabled).
   * @returns how many, `limit` at most.
   */
  expireWaiting(limit: number): Promise<number> {
    return this.overTargets(limit, (target, rest) => this.expireOf(target, rest));
  }

  private async expireOf({ targets, deliveries, id }: Target, limit: number): Promise<number> {
    const { rowCount } = await this.database.background.query(
      `WITH expired AS MATERIALIZED (
         SELECT waiting.id FROM ${targets} e CROSS JOIN LATERAL (
           SELECT d.id FROM ${deliveries} d
           WHERE d.${id} = e.id AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL
             AND (e.deleted_at IS NOT NULL OR d.next_attempt_at < now() - $1 * interval '1 ms')
           ORDER BY d.next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ) waiting
         WHERE NOT e.enabled OR e.deleted_at IS NOT NULL LIMIT $2)
       UPDATE ${deliveries} d SET status = 'dead', next_attempt_at = NULL, updated_at = now()
       FROM expired WHERE d.id = expired.id`,
      [PARKED_DELIVERY_LIFETIME_MS, limit],
    );
    return rowCount ?? 0;
  }

  /**
   * Deletes ended deliveries that were created longer ago than `ageMs`, with their attempts.
   * @returns how many, `limit` at most.
   */
  deleteEnded(ageMs: number, limit: number): Promise<number> {
    return this.overTargets(limit, (target, rest) => this.deleteEndedOf(target, ageMs, rest));
  }

  private async deleteEndedOf({ deliveries }: Target, ageMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.database.background.query(
      `DELETE FROM ${deliveries} WHERE id = ANY (ARRAY(
         SELECT id FROM ${deliveries} WHERE ${isOlder('webhookDelivery')} AND status IN ('succeeded', 'dead') AND lease_id IS NULL
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [ageMs, limit],
    );
    return rowCount ?? 0;
  }

  /**
   * Deletes events that are older than `ageMs` and that no delivery needs any more.
   * @returns how many, `limit` at most.
   */
  async deleteUndelivered(ageMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.database.background.query(
      `DELETE FROM webhook_events WHERE id = ANY (ARRAY(
         SELECT id FROM webhook_events e
         WHERE ${isOlder('event')} AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id)
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [ageMs, limit],
    );
    return rowCount ?? 0;
  }

  /** Works on one table after the other, `limit` rows in all. */
  private async overTargets(
    limit: number,
    work: (target: Target, rest: number) => Promise<number>,
  ): Promise<number> {
    let done = 0;
    for (const target of targets) if (done < limit) done += await work(target, limit - done);
    return done;
  }
}

/**
 * True where a row was created more than `$1` milliseconds ago. Ids sort by their time, so age needs no separate index.
 * That time is by the clock of the process that created the row, which may be wrong.
 */
const isOlder = (kind: IdKind): string =>
  `id < '${idPrefixes[kind]}' || substr(request_id_at(now() - $1 * interval '1 ms'), 4)
     AND created_at < now() - $1 * interval '1 ms'`;
