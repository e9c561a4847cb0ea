import { type Role } from '@svc/identity';
import { type Database } from '../database/database';

/** A console session that is live, with its user and the memberships as they are now. Never its secret. */
export interface SessionRecord {
  readonly userId: string;
  readonly email: string;
  /** Of active members only, by the organization's name. */
  readonly memberships: readonly SessionMembership[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface SessionMembership {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly organizationState: 'active' | 'suspended';
  readonly role: Role;
}

export interface NewSession {
  /** SHA-256 of the session's secret. */
  readonly sha256: Buffer;
  readonly userId: string;
  /** Milliseconds since 1970 UTC, as all times here. */
  readonly nowMs: number;
  /** When it ends, however much it is used. */
  readonly expiresAtMs: number;
}

const HOUR_MS = 3_600_000;
/** A session that nobody used for so long is over. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** Use is noted at most so often, so that a call costs no write; a session idles out early by no more than this. */
const NOTE_USE_EVERY_MS = 5 * 60_000;

type SessionRow = SessionRecord & { readonly lastSeenAt: Date };

export class SessionStore {
  constructor(private readonly database: Database) {}

  async create({ sha256, userId, nowMs, expiresAtMs }: NewSession): Promise<void> {
    const now = new Date(nowMs);
    await this.database.pool.query({
      name: 'create_session',
      text: `INSERT INTO console_sessions (secret_sha256, user_id, created_at, last_seen_at, expires_at)
             VALUES ($1, $2, $3, $3, $4)`,
      values: [sha256, userId, now, new Date(expiresAtMs)],
    });
  }

  /**
   * One query for everything that a call by session needs: a role that shrank narrows at once.
   * @returns null for a session that is unknown, ended, expired or idle for too long: who holds it can't tell which.
   */
  async find(sha256: Buffer, nowMs: number): Promise<SessionRecord | null> {
    const { rows } = await this.database.pool.query<SessionRow>({
      name: 'find_session',
      text: `SELECT s.user_id AS "userId", u.email, s.created_at AS "createdAt", s.expires_at AS "expiresAt",
               s.last_seen_at AS "lastSeenAt",
               coalesce((
                 SELECT json_agg(json_build_object('organizationId', o.id, 'organizationName', o.name,
                          'organizationState', o.state, 'role', m.role) ORDER BY o.name, o.id)
                 FROM members m JOIN organizations o ON o.id = m.organization_id
                 WHERE m.user_id = s.user_id AND m.state = 'active'), '[]') AS memberships
             FROM console_sessions s JOIN users u ON u.id = s.user_id
             WHERE s.secret_sha256 = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.last_seen_at > $3`,
      values: [sha256, new Date(nowMs), new Date(nowMs - SESSION_IDLE_MS)],
    });
    const row = rows[0];
    if (row === undefined) return null;
    const { lastSeenAt, ...session } = row;
    if (lastSeenAt.getTime() <= nowMs - NOTE_USE_EVERY_MS) await this.noteUse(sha256, nowMs);
    return session;
  }

  /** Ends a session; nothing happens where there is none. */
  async revoke(sha256: Buffer, nowMs: number): Promise<void> {
    await this.database.pool.query(
      'UPDATE console_sessions SET revoked_at = $2 WHERE secret_sha256 = $1 AND revoked_at IS NULL',
      [sha256, new Date(nowMs)],
    );
  }

  /** Those that ended early are kept until then, too. @returns how many were deleted. */
  async deleteExpired(nowMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `DELETE FROM console_sessions WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM console_sessions WHERE expires_at <= $1
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [new Date(nowMs), limit],
    );
    return rowCount ?? 0;
  }

  private async noteUse(sha256: Buffer, nowMs: number): Promise<void> {
    // Never back: another process may have noted a later use.
    await this.database.pool.query(
      'UPDATE console_sessions SET last_seen_at = $2 WHERE secret_sha256 = $1 AND last_seen_at < $2',
      [sha256, new Date(nowMs)],
    );
  }
}
