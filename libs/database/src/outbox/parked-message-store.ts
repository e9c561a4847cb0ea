import { type Database } from '../database/database';

/** A dead letter: a message that its consumer could not process. */
export interface ParkedMessageRecord {
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string | null;
  readonly payload: Buffer;
  readonly reason: string;
}

/** PostgreSQL's text type cannot store this character, and a message that is no event may contain any. */
const NUL = '\0';
const withoutNul = (text: string): string => text.replaceAll(NUL, '\uFFFD');

/** The dead letters: messages that were set aside, so that later ones are processed. */
export class ParkedMessageStore {
  constructor(private readonly database: Database) {}

  /** A repeat changes nothing, unless the message was resolved: then it waits again, for it has failed again. */
  async park({
    consumer,
    topic,
    partition,
    offset,
    key,
    payload,
    reason,
  }: ParkedMessageRecord): Promise<void> {
    const texts = [key === null ? null : withoutNul(key), payload, withoutNul(reason)];
    await this.database.pool.query(
      `INSERT INTO parked_messages (consumer, topic, partition, "offset", key, payload, reason)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (consumer, topic, partition, "offset") DO UPDATE SET resolved_at = NULL, reason = excluded.reason
       WHERE parked_messages.resolved_at IS NOT NULL`,
      [consumer, topic, partition, offset, ...texts],
    );
  }

  /** @returns whether the database answers; never rejects. */
  async isAvailable(): Promise<boolean> {
    return this.database.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  /** @returns how many messages wait for an operator, for a metric. */
  async countWaiting(): Promise<number> {
    const { rows } = await this.database.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM parked_messages WHERE resolved_at IS NULL',
    );
    return rows[0]?.count ?? 0;
  }
}
