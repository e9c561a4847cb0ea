import { IS_DUE, type Database } from '@svc/database';
import { type ProviderEventFacts } from '../rules/provider';

export interface WaitingEvent {
  readonly id: string;
  readonly type: string;
  readonly intentReference: string | null;
  /** How often the provider failed to say what it is about. */
  readonly tries: number;
  /** By the database's clock. */
  readonly ageMs: number;
}

/** The events of the payment provider. They only nudge: the payment that one names is due at once. */
export class ProviderEventStore {
  /** Asks whether an event is due. */
  readonly isDue: () => Promise<boolean>;

  constructor(private readonly database: Database) {
    this.isDue = database.dueWork.of(`FROM provider_events WHERE result IS NULL AND ${IS_DUE}`);
  }

  /** @returns false for one that is stored already. */
  async storeProviderEvent({
    id,
    type,
    paymentId,
    reference,
    intentReference,
  }: ProviderEventFacts): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'store_provider_event',
      text: `INSERT INTO provider_events (id, type, payment_id, provider_reference, intent_reference)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
      values: [id, type, paymentId, reference, intentReference],
    });
    return rowCount === 1;
  }

  /**
   * Nudges the payments that due events name, in one statement: an event is worked off when its payment is due, and not
   * before. The growing fence makes an answer that is under way count no more, as it may be older than the event.
   * @returns how many events were worked off.
   */
  async nudge(limit: number): Promise<number> {
    const { rowCount } = await this.database.pool.query({
      name: 'nudge_payments',
      text: `WITH waiting AS MATERIALIZED (
          SELECT * FROM provider_events WHERE result IS NULL AND ${IS_DUE}
          ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
        ), found AS MATERIALIZED (
          SELECT e.id AS event_id, p.id AS payment_id FROM waiting e JOIN payments p
            ON p.id = e.payment_id OR p.provider_reference = e.provider_reference OR p.intent_reference = e.intent_reference
        ), nudged AS (
          UPDATE payments p SET due_at = clock_timestamp(), fence = p.fence + 1,
            -- A charge whose answer was lost: its event says where to look.
            provider_reference = CASE WHEN p.kind = 'auto' THEN coalesce(p.provider_reference,
              (SELECT min(w.intent_reference) FROM waiting w WHERE w.payment_id = p.id)) ELSE p.provider_reference END
          WHERE p.id IN (SELECT payment_id FROM (
            SELECT l.id AS payment_id FROM payments l WHERE l.id IN (SELECT payment_id FROM found)
            ORDER BY l.id FOR NO KEY UPDATE) locked)
        ), methods AS (
          UPDATE payment_methods m SET due_at = clock_timestamp() FROM waiting e
          WHERE m.setup_reference = e.provider_reference AND m.state = 'pending' RETURNING e.id AS event_id
        )
        UPDATE provider_events e SET result = 'nudged'
        WHERE e.id IN (SELECT event_id FROM found UNION ALL SELECT event_id FROM methods)`,
      values: [limit],
    });
    return rowCount ?? 0;
  }

  /** Due events that name no payment that is known. */
  async listUnmatched(limit: number): Promise<readonly WaitingEvent[]> {
    const { rows } = await this.database.pool.query<WaitingEvent>({
      name: 'unmatched_provider_events',
      text: `SELECT id, type, intent_reference AS "intentReference", tries,
          (extract(epoch FROM clock_timestamp() - received_at) * 1000)::float8 AS "ageMs"
        FROM provider_events WHERE result IS NULL AND ${IS_DUE} ORDER BY due_at LIMIT $1`,
      values: [limit],
    });
    return rows;
  }

  /** Says which payment an event is about, as the provider told; null: none of ours. */
  async match(id: string, paymentId: string | null): Promise<void> {
    await this.database.prisma.$executeRaw`
      UPDATE provider_events SET payment_id = ${paymentId}, due_at = clock_timestamp(),
        result = CASE WHEN EXISTS (SELECT FROM payments WHERE id = ${paymentId}) THEN NULL ELSE 'ignored' END
      WHERE id = ${id} AND result IS NULL`;
  }

  /** The provider did not say what it is about: it is looked at again in `dueInMs`. */
  async postpone(id: string, dueInMs: number): Promise<void> {
    await this.database.prisma.$executeRaw`
      UPDATE provider_events SET tries = tries + 1, due_at = clock_timestamp() + ${dueInMs} * interval '1 ms'
      WHERE id = ${id} AND result IS NULL`;
  }

  /** @returns false where it does not wait any more. */
  async giveUp(id: string): Promise<boolean> {
    const count = await this.database.prisma.$executeRaw`
      UPDATE provider_events SET result = 'given_up' WHERE id = ${id} AND result IS NULL`;
    return count === 1;
  }
}
