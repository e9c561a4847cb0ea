import { type Database, prismaOf, type Transaction } from '@svc/database';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';

/** A user, who logs in with an e-mail address in lower case. */
export interface UserRecord {
  readonly id: string;
  readonly email: string;
  /** argon2id, PHC string; null until a password was chosen. */
  readonly passwordHash: string | null;
}

interface LockedUser {
  readonly id: string;
  /** True where they have shown that the address is theirs; false for somebody who has only claimed it. */
  readonly isVerified: boolean;
}

export class UserStore {
  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  /** @param email lower case. */
  async findByEmail(email: string): Promise<UserRecord | null> {
    const { rows } = await this.database.pool.query<UserRecord>({
      name: 'find_user_by_email',
      text: 'SELECT id, email, password_hash AS "passwordHash" FROM users WHERE email = $1',
      values: [email],
    });
    return rows[0] ?? null;
  }

  /** Marks the address as verified: a link that was sent only to it was used. */
  async verifyEmail(tx: Transaction, userId: string, at: Date): Promise<void> {
    await prismaOf(tx).user.updateMany({
      where: { id: userId, emailVerifiedAt: null },
      data: { emailVerifiedAt: at },
    });
  }

  /**
   * The user with an address, kept from changes until the transaction ends.
   * @param email lower case.
   */
  async lockByEmail(tx: Transaction, email: string): Promise<LockedUser | null> {
    const rows = await prismaOf(tx).$queryRaw<LockedUser[]>`
      SELECT id, email_verified_at IS NOT NULL AS "isVerified" FROM users WHERE email = ${email} FOR SHARE`;
    return rows[0] ?? null;
  }

  /**
   * Creates a user. One statement, so that of two concurrent calls only one succeeds.
   * @param email lower case.
   * @returns the user's id; null where the address has a user already, who stays as they are.
   */
  async createUser(tx: Transaction, email: string, passwordHash: string): Promise<string | null> {
    const rows = await prismaOf(tx).$queryRaw<{ id: string }[]>`
      INSERT INTO users (id, email, password_hash) VALUES (${this.newId('user')}, ${email}, ${passwordHash})
      ON CONFLICT (email) DO NOTHING
      RETURNING id`;
    return rows[0]?.id ?? null;
  }

  /**
   * Sets the first password of a new user, or of one who never had any. The caller knows that whoever chose it may act as
   * that user. One statement, so that of two concurrent calls only one succeeds.
   * @returns the user's id; null where the user has a password already, which stays.
   */
  async setFirstPassword(tx: Transaction, email: string, passwordHash: string): Promise<string | null> {
    const rows = await prismaOf(tx).$queryRaw<{ id: string }[]>`
      INSERT INTO users (id, email, password_hash) VALUES (${this.newId('user')}, ${email}, ${passwordHash})
      ON CONFLICT (email) DO UPDATE SET password_hash = excluded.password_hash, updated_at = now()
        WHERE users.password_hash IS NULL
      RETURNING id`;
    return rows[0]?.id ?? null;
  }
}
