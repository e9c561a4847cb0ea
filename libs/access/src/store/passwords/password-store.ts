import { type Database, prismaOf, type Transaction } from '@svc/database';

interface PasswordChange {
  readonly userId: string;
  /** The current password that the user gave, and the new one: argon2id, PHC strings. */
  readonly from: string;
  readonly to: string;
  readonly at: Date;
}

/** A link with which a user sets a password without the old one. */
export interface NewPasswordReset {
  /** Lower case. */
  readonly email: string;
  readonly secretSha256: Buffer;
  /** True where the link is sent only to the address, so that its use verifies the address. */
  readonly mailed: boolean;
  readonly expiresAt: Date;
}

interface UsedPasswordReset {
  readonly userId: string;
  readonly mailed: boolean;
}

/**
 * Changes of passwords. Each ends all sessions of the user and the open reset. Locks: the reset, the user, then the
 * sessions.
 */
export class PasswordStore {
  constructor(private readonly database: Database) {}

  /** @returns false where the password was changed meanwhile; the password then stays. */
  async changePassword(tx: Transaction, { userId, from, to, at }: PasswordChange): Promise<boolean> {
    const prisma = prismaOf(tx);
    await prisma.passwordReset.deleteMany({ where: { userId } });
    const { count } = await prisma.user.updateMany({
      where: { id: userId, passwordHash: from },
      data: { passwordHash: to },
    });
    if (count === 1) await endSessions(tx, userId, at);
    return count === 1;
  }

  /**
   * Replaces an older reset of the user, whose link becomes invalid.
   * @returns the user's id; null where no user has the address.
   */
  async issueReset(tx: Transaction, reset: NewPasswordReset): Promise<string | null> {
    const { email, secretSha256, mailed, expiresAt } = reset;
    const rows = await prismaOf(tx).$queryRaw<{ userId: string }[]>`
      INSERT INTO password_resets AS r (user_id, secret_sha256, mailed, expires_at)
      SELECT id, ${Uint8Array.from(secretSha256)}, ${mailed}, ${expiresAt} FROM users WHERE email = ${email}
      ON CONFLICT (user_id) DO UPDATE SET secret_sha256 = excluded.secret_sha256, mailed = excluded.mailed,
        expires_at = excluded.expires_at, created_at = now()
      RETURNING r.user_id AS "userId"`;
    return rows[0]?.userId ?? null;
  }

  /** @returns the user's address; null for a link that is unknown or expired. */
  async findReset(sha256: Buffer, nowMs: number): Promise<{ readonly email: string } | null> {
    const { rows } = await this.database.pool.query<{ email: string }>(
      `SELECT u.email FROM password_resets r JOIN users u ON u.id = r.user_id
       WHERE r.secret_sha256 = $1 AND r.expires_at > $2`,
      [sha256, new Date(nowMs)],
    );
    return rows[0] ?? null;
  }

  /** One conditional statement uses the link: of two concurrent uses only one sets the password. */
  async reset(
    tx: Transaction,
    sha256: Buffer,
    passwordHash: string,
    at: Date,
  ): Promise<UsedPasswordReset | null> {
    const prisma = prismaOf(tx);
    const [used] = await prisma.$queryRaw<UsedPasswordReset[]>`
      DELETE FROM password_resets WHERE secret_sha256 = ${Uint8Array.from(sha256)} AND expires_at > ${at}
      RETURNING user_id AS "userId", mailed`;
    if (used === undefined) return null;
    await prisma.user.update({ where: { id: used.userId }, data: { passwordHash } });
    await endSessions(tx, used.userId, at);
    return used;
  }
}

async function endSessions(tx: Transaction, userId: string, revokedAt: Date): Promise<void> {
  await prismaOf(tx).consoleSession.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt } });
}
