import { type Database } from '@svc/database';
import { type Role } from '../../rules/permissions/permissions';

/** A live console session with its user and the current memberships. Never its secret. */
export interface SessionRecord {
  readonly userId: string;
  readonly email: string;
  /** The active memberships only, sorted by the organization's name. */
  readonly memberships: readonly SessionMembership[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface SessionMembership {
  readonly memberId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly organizationState: 'active' | 'suspended';
  readonly role: Role;
}

interface NewSession {
  /** SHA-256 of the session's secret. */
  readonly sha256: Buffer;
  readonly userId: string;
  /** The user's password hash as the login read it. If it has changed since, no session is created. */
  readonly passwordHash?: string | null;
  /** The user agent and the address of the browser or program. */
  readonly userAgent?: string | null;
  readonly address?: string | null;
  /** Milliseconds since 1970 UTC, as all times here. */
  readonly nowMs: number;
  /** When it ends, even if it is in use. */
  readonly expiresAtMs: number;
}

const HOUR_MS = 3_600_000;
/** A session that is idle for this long ends. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/**
 * Use is written at most this often, so that a call usually costs no write. A session may time out earlier by this
 * much.
 */
const NOTE_USE_EVERY_MS = 5 * 60_000;

type SessionRow = SessionRecord & { readonly lastSeenAt: Date };

export class SessionStore {
  constructor(private readonly database: Database) {}

  /**
   * The update locks the user. So a concurrent change of the password, which ends all sessions, either ends this one
   * too or is seen here.
   * @returns false where the password was changed since the login read it.
   */
  async createSession(session: NewSession): Promise<boolean> {
    const { passwordHash = null, userAgent = null, address = null } = session;
    const { rowCount } = await this.database.pool.query({
      name: 'create_session',
      text: `WITH seen AS (
               UPDATE users SET last_seen_at = greatest(last_seen_at, $3)
               WHERE id = $2 AND password_hash IS NOT DISTINCT FROM $5 RETURNING id)
             INSERT INTO console_sessions (secret_sha256, user_id, created_at, last_seen_at, expires_at, user_agent, address)
             SELECT $1, id, $3, $3, $4, $6, $7 FROM seen`,
      values: [
        session.sha256,
        session.userId,
        new Date(session.nowMs),
        new Date(session.expiresAtMs),
        passwordHash,
        userAgent,
        address,
      ],
    });
    return rowCount === 1;
  }

  /**
   * One query reads everything that a call by session needs, so that a smaller role applies at once.
   * @returns null for a session that is unknown, ended, expired or idle for too long. Its holder cannot tell which.
   */
  async findSession(sha256: Buffer, nowMs: number): Promise<SessionRecord | null> {
    const { rows } = await this.database.pool.query<SessionRow>({
      name: 'find_session',
      text: `SELECT s.user_id AS "userId", u.email, s.created_at AS "createdAt", s.expires_at AS "expiresAt",
               s.last_seen_at AS "lastSeenAt",
               coalesce((
                 SELECT json_agg(json_build_object('memberId', m.id, 'organizationId', o.id, 'organizationName', o.name,
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
    if (lastSeenAt.getTime() <= nowMs - NOTE_USE_EVERY_MS) await this.noteUse(sha256, session.userId, nowMs);
    return session;
  }

  /** Ends a session, if there is one. */
  async revokeSession(sha256: Buffer, nowMs: number): Promise<void> {
    await this.database.pool.query(
      'UPDATE console_sessions SET revoked_at = $2 WHERE secret_sha256 = $1 AND revoked_at IS NULL',
      [sha256, new Date(nowMs)],
    );
  }

  /**
   * Never moves the time back, because another process may have written a later use. Uses two separate statements,
   * because the code that ends all sessions of a user locks the user first.
   */
  private async noteUse(sha256: Buffer, userId: string, nowMs: number): Promise<void> {
    const { pool } = this.database;
    const now = new Date(nowMs);
    await pool.query(
      'UPDATE console_sessions SET last_seen_at = $2 WHERE secret_sha256 = $1 AND last_seen_at < $2',
      [sha256, now],
    );
    await pool.query('UPDATE users SET last_seen_at = greatest(last_seen_at, $2) WHERE id = $1', [
      userId,
      now,
    ]);
  }
}
