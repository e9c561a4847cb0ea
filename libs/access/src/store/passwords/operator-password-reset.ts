import { AuditLog, type Database, UnitOfWork } from '@svc/database';
import { PasswordStore } from './password-store';
import { newResetLink } from './reset-link';

/** A reset with the link that the operator passes on. */
export interface IssuedPasswordReset {
  readonly resetUrl: string;
  readonly expiresAt: Date;
}

interface AskedReset {
  /** Lower case. */
  readonly email: string;
  readonly baseUrl: string;
  readonly nowMs: number;
  /** The id of the HTTP request; null for the command line. */
  readonly requestId: string | null;
}

/** Issues a password reset for a user on behalf of the operator (docs/reference/operator-api.md#password-resets). */
export class OperatorPasswordReset {
  private readonly unitOfWork: UnitOfWork;
  private readonly passwords: PasswordStore;
  private readonly auditLog: AuditLog;

  constructor(database: Database) {
    this.unitOfWork = new UnitOfWork(database);
    this.passwords = new PasswordStore(database);
    this.auditLog = new AuditLog(database);
  }

  /**
   * Records it in the audit log of each organization of the user.
   * @returns null where no user has the address.
   */
  issue({ email, baseUrl, nowMs, requestId }: AskedReset): Promise<IssuedPasswordReset | null> {
    const { url: resetUrl, secretSha256, expiresAt } = newResetLink(baseUrl, nowMs);
    return this.unitOfWork.transaction(async (tx) => {
      const reset = { email, secretSha256, mailed: false, expiresAt };
      const userId = await this.passwords.issueReset(tx, reset);
      if (userId === null) return null;
      await this.auditLog.appendOfMember(tx, userId, {
        actor: { type: 'operator', id: null },
        action: 'member.issue_password_reset',
        changes: {},
        requestId,
      });
      return { resetUrl, expiresAt };
    });
  }
}
