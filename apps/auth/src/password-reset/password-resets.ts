import { isSecret, secretHash } from '@svc/access';
import { type PasswordStore, type UserStore } from '@svc/access/store';
import { type Clock } from '@svc/kernel';
import { initialFields, type AuditLog, type UnitOfWork } from '@svc/database';
import { type PasswordChangedMail } from '../mails/password-changed-mail';

interface PasswordResetsOptions {
  readonly unitOfWork: UnitOfWork;
  readonly passwords: PasswordStore;
  readonly users: UserStore;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly mail: PasswordChangedMail;
}

interface UsedReset {
  readonly secret: string;
  /** The user's, as {@link PasswordResets.find} has found it. */
  readonly email: string;
  /** argon2id, PHC string. */
  readonly passwordHash: string;
  readonly requestId: string;
}

/** Sets new passwords for users with a reset link (docs/reference/sessions-and-members.md#passwords). */
export class PasswordResets {
  constructor(private readonly options: PasswordResetsOptions) {}

  /** @returns whose reset it is; null for an unknown secret, and for a link that was used, replaced or has expired. */
  async find(secret: string): Promise<{ readonly email: string } | null> {
    if (!isSecret('passwordReset', secret)) return null;
    return this.options.passwords.findReset(secretHash(secret), this.options.clock.now());
  }

  /**
   * One transaction sets the password, ends all sessions, verifies a mailed address and writes the audit entries. Then the
   * user is told.
   * @returns false where the link no longer works.
   */
  async use(reset: UsedReset): Promise<boolean> {
    const isUsed = await this.write(reset);
    if (isUsed) this.options.mail.begin(reset.email, reset.requestId);
    return isUsed;
  }

  private write({ secret, passwordHash, requestId }: UsedReset): Promise<boolean> {
    const { unitOfWork, passwords, users, auditLog, clock } = this.options;
    const at = new Date(clock.now());
    return unitOfWork.transaction(async (tx) => {
      const used = await passwords.reset(tx, secretHash(secret), passwordHash, at);
      if (used === null) return false;
      const { userId, mailed } = used;
      if (mailed) await users.verifyEmail(tx, userId, at);
      await auditLog.appendOfMember(tx, userId, {
        actor: { type: 'user', id: userId },
        action: 'member.reset_password',
        changes: initialFields({ link: mailed ? 'mailed' : 'operator' }),
        requestId,
      });
      return true;
    });
  }
}
