import { type Client } from 'pg';
import { type Database } from '../database/database';

/** A recorded event that waits for the relay. */
interface OutboxRecord {
  readonly id: string;
  readonly type: string;
  readonly organizationId: string;
  /** The envelope's bytes. */
  readonly payload: string;
}

/**
 * Key of the advisory lock that makes one process the relay. With two relays, an organization's events could get out of
 * order.
 */
const RELAY_LOCK = 7_310_001;

/**
 * The relay's side of the outbox. Finds events without `published_at`. A watermark would miss some, because
 * transactions do not commit in the order of their ids.
 */
export class OutboxStore {
  private relay: { readonly client: Client; hasLock: boolean } | null = null;

  /** Asks whether an event waits. */
  readonly isDue: () => Promise<boolean>;

  constructor(private readonly database: Database) {
    this.isDue = database.dueWork.of('FROM outbox_events WHERE published_at IS NULL');
  }

  /** @returns the oldest unpublished events; none while another process is the relay. */
  async claimUnpublished(limit: number): Promise<readonly OutboxRecord[]> {
    if (!(await this.isRelay())) return [];
    const { rows } = await this.database.pool.query<OutboxRecord>({
      name: 'claim_unpublished',
      text: `SELECT id, type, organization_id AS "organizationId", payload
             FROM outbox_events WHERE published_at IS NULL ORDER BY id LIMIT $1`,
      values: [limit],
    });
    return rows;
  }

  async markPublished(ids: readonly string[]): Promise<void> {
    await this.database.pool.query({
      name: 'mark_published',
      text: 'UPDATE outbox_events SET published_at = now() WHERE id = ANY ($1) AND published_at IS NULL',
      values: [ids],
    });
  }

  /** The lock ends with its connection, so when this process dies, another becomes the relay at once. */
  private async isRelay(): Promise<boolean> {
    if (this.relay === null) {
      const client = await this.database.connectAlone();
      const relay = { client, hasLock: false };
      client.once('end', () => {
        if (this.relay === relay) this.relay = null;
      });
      this.relay = relay;
    }
    const { relay } = this;
    if (!relay.hasLock) {
      const { rows } = await relay.client.query<{ locked: boolean }>(
        'SELECT pg_try_advisory_lock($1) AS locked',
        [RELAY_LOCK],
      );
      relay.hasLock = rows[0]?.locked === true;
    }
    return relay.hasLock;
  }
}
