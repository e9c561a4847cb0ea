import { type Database } from '../database/database';

/** A mail that this process has for one try. */
export interface ClaimedMail {
  readonly id: string;
  readonly leaseId: string;
  /** Null: the member has left the organization. */
  readonly to: string | null;
  readonly subject: string;
  readonly text: string;
  /** This try, from 1. */
  readonly tries: number;
}

/** How a try ended. */
export interface EndedTry {
  readonly status: 'sent' | 'failed' | 'skipped' | 'queued';
  /** Null only for a mail that was sent. */
  readonly error: string | null;
  /** Until the next try; null where there is none. */
  readonly retryInSeconds: number | null;
}

/** Longer than the longest try. */
const LEASE_MS = 60_000;

/** The mails that wait to be sent. Any number of dispatchers share it; the database's clock decides what is due. */
export class MailQueue {
  constructor(
    private readonly database: Database,
    private readonly leaseMs = LEASE_MS,
  ) {}

  /** Leases mails that are due, the longest due first. The try counts before it is made: a crash in it costs one. */
  async claim(limit: number): Promise<readonly ClaimedMail[]> {
    const { rows } = await this.database.pool.query<ClaimedMail>({
      name: 'claim_mails',
      text: `WITH due AS MATERIALIZED (
          SELECT id FROM mails WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
        )
        UPDATE mails m SET tries = m.tries + 1, lease_id = gen_random_uuid(), updated_at = now(),
          due_at = clock_timestamp() + $2 * interval '1 ms'
        FROM due WHERE m.id = due.id
        RETURNING m.id, m.lease_id AS "leaseId", m.subject, m.text, m.tries, (
          SELECT u.email FROM members b JOIN users u ON u.id = b.user_id
          WHERE b.id = m.member_id AND b.organization_id = m.organization_id AND b.state = 'active') AS "to"`,
      values: [limit, this.leaseMs],
    });
    return rows;
  }

  /** @returns false when the lease had lapsed and somebody else has the mail. */
  async end({ id, leaseId }: ClaimedMail, { status, error, retryInSeconds }: EndedTry): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'end_mail_try',
      text: `UPDATE mails SET status = $3, error = $4, lease_id = NULL, updated_at = now(),
          due_at = clock_timestamp() + $5 * interval '1 s'
        WHERE id = $1 AND lease_id = $2`,
      values: [id, leaseId, status, error, retryInSeconds],
    });
    return rowCount === 1;
  }
}
