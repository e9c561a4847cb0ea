import { hash } from 'node:crypto';
import { type Database } from '@svc/database';
import { formatId, ID_ENTROPY_BYTES, isId, timeOfId } from '@svc/kernel';
import { SESSION_IDLE_MS } from './session-store';

/** A live console session as its user sees it. */
export interface UserSession {
  readonly id: string;
  /** SHA-256 of its secret. */
  readonly sha256: Buffer;
  readonly createdAt: Date;
  /** To within five minutes. */
  readonly lastSeenAt: Date;
  /** When it ends, even if it is in use. */
  readonly expiresAt: Date;
  /** The user agent and the address at the login; null for sessions of 0.1.0. */
  readonly userAgent: string | null;
  readonly address: string | null;
}

/** The user, with the session of the call. */
interface SessionOwner {
  readonly userId: string;
  readonly sha256: Buffer;
}

/** More than a user can read. "End all others" also ends those that are not shown. */
const SHOWN_MAX = 100;

/** The live sessions of one user. */
export class UserSessionStore {
  constructor(private readonly database: Database) {}

  /** The newest ones, newest first. */
  async listSessions({ userId }: SessionOwner, nowMs: number): Promise<readonly UserSession[]> {
    const { rows } = await this.database.pool.query<Omit<UserSession, 'id'>>(
      `SELECT secret_sha256 AS sha256, created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt",
         user_agent AS "userAgent", address
       FROM console_sessions WHERE user_id = $1 AND ${LIVE} ORDER BY created_at DESC, secret_sha256 LIMIT $4`,
      [userId, ...liveAt(nowMs), SHOWN_MAX],
    );
    return rows.map((row) => ({ ...row, id: sessionId(row.sha256, row.createdAt) }));
  }

  /** @returns false where the user has no live session with this id. */
  async endSession({ userId }: SessionOwner, id: string, nowMs: number): Promise<boolean> {
    if (!isId('consoleSession', id)) return false;
    const { pool } = this.database;
    const createdAt = new Date(timeOfId(id));
    const { rows } = await pool.query<{ sha256: Buffer }>(
      `SELECT secret_sha256 AS sha256 FROM console_sessions WHERE user_id = $1 AND ${LIVE} AND created_at = $4`,
      [userId, ...liveAt(nowMs), createdAt],
    );
    const found = rows.find(({ sha256 }) => sessionId(sha256, createdAt) === id);
    if (found === undefined) return false;
    const { rowCount } = await pool.query(
      'UPDATE console_sessions SET revoked_at = $2 WHERE secret_sha256 = $1 AND revoked_at IS NULL',
      [found.sha256, new Date(nowMs)],
    );
    return rowCount === 1;
  }

  async endOthers({ userId, sha256 }: SessionOwner, nowMs: number): Promise<void> {
    await this.database.pool.query(
      `UPDATE console_sessions SET revoked_at = $3
       WHERE user_id = $1 AND secret_sha256 <> $2 AND revoked_at IS NULL`,
      [userId, sha256, new Date(nowMs)],
    );
  }
}

const LIVE = 'revoked_at IS NULL AND expires_at > $2 AND last_seen_at > $3';
const liveAt = (nowMs: number) => [new Date(nowMs), new Date(nowMs - SESSION_IDLE_MS)];

/**
 * Not stored, but derived from the time of the login and a hash of the stored secret hash. So sessions of the previous
 * version have one too.
 */
const sessionId = (sha256: Buffer, createdAt: Date): string =>
  formatId(
    'consoleSession',
    createdAt.getTime(),
    hash('sha256', sha256, 'buffer').subarray(0, ID_ENTROPY_BYTES),
  );
