import { type Database } from '../database/database';
import { type Claim, LeasedWork } from '../database/leased-work';

/** A mail that this process has for one try. */
export interface ClaimedMail extends Claim {
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

const MAILS = {
  table: 'mails',
  what: 'the mail',
  // The try counts before it is made: a crash in it costs one.
  onClaim: 'tries = tries + 1, updated_at = now()',
};

/** The mails that wait to be sent. Any number of dispatchers share it; the database's clock decides what is due. */
export class MailQueue {
  private readonly leases: LeasedWork;

  constructor(
    private readonly database: Database,
    leaseMs?: number,
  ) {
    this.leases = new LeasedWork(database, MAILS, leaseMs);
  }

  /** Asks whether any mail may be claimed. */
  isDue(): Promise<boolean> {
    return this.leases.isDue();
  }

  /** Leases mails that are due, the longest due first. */
  async claim(limit: number): Promise<readonly ClaimedMail[]> {
    const fences = new Map((await this.leases.claim(limit)).map(({ id, fence }) => [id, fence]));
    if (fences.size === 0) return [];
    const { rows } = await this.database.pool.query<Omit<ClaimedMail, 'fence'>>({
      name: 'claimed_mails',
      text: `SELECT m.id, m.subject, m.text, m.tries, (
          SELECT u.email FROM members b JOIN users u ON u.id = b.user_id
          WHERE b.id = m.member_id AND b.organization_id = m.organization_id AND b.state = 'active') AS "to"
        FROM mails m WHERE m.id = ANY ($1::uuid[])`,
      values: [[...fences.keys()]],
    });
    return rows.map((row) => ({ ...row, fence: fences.get(row.id) ?? 0n }));
  }

  /** @returns false when the lease had lapsed and somebody else has the mail. */
  end(mail: ClaimedMail, { status, error, retryInSeconds }: EndedTry): Promise<boolean> {
    return this.leases.giveBack(
      mail,
      `status = $3, error = $4, updated_at = now(), due_at = clock_timestamp() + $5 * interval '1 s'`,
      [status, error, retryInSeconds],
    );
  }
}
