import { type PasswordStore } from '@svc/access/store';
import { GatewayError, type Clock } from '@svc/kernel';
import { type AuditLog, type UnitOfWork } from '@svc/database';
import { type PasswordChangedMail } from '../mails/password-changed-mail';
import { hashPassword, passwordProblem } from '../session/password';
import { type PasswordLogin } from '../session/password-login';

interface PasswordChangeOptions {
  readonly unitOfWork: UnitOfWork;
  readonly passwords: PasswordStore;
  readonly logins: PasswordLogin;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly mail: PasswordChangedMail;
}

interface AskedChange {
  /** The logged-in user's. */
  readonly email: string;
  readonly current: string;
  readonly next: string;
  readonly repeated: string;
  readonly address: string;
  readonly requestId: string;
}

type PasswordField = 'current_password' | 'new_password';

/** The changed user, or the wrong field and its problem. */
type Outcome =
  | { readonly user: { readonly id: string; readonly passwordHash: string } }
  | { readonly field: PasswordField; readonly problem: string };

/** Changes the password of a user who knows the old one (docs/reference/sessions-and-members.md#passwords). */
export class PasswordChange {
  constructor(private readonly options: PasswordChangeOptions) {}

  /**
   * Changes the password, ends all sessions and writes the audit entries in one transaction.
   * @throws GatewayError `rateLimit` after too many wrong passwords; `conflict` where the password was changed
   * meanwhile.
   */
  async run({ email, current, next, repeated, address, requestId }: AskedChange): Promise<Outcome> {
    const problem =
      next === current ? 'This is the current one. Choose another.' : passwordProblem(next, repeated);
    if (problem !== null) return { field: 'new_password', problem };
    const user = await this.options.logins.judge({ email, password: current, address, requestId });
    if (user?.passwordHash == null) return { field: 'current_password', problem: 'The password is wrong.' };
    const passwordHash = await hashPassword(next);
    await this.write(user.id, user.passwordHash, passwordHash, requestId);
    this.options.mail.begin(email, requestId);
    return { user: { id: user.id, passwordHash } };
  }

  private async write(userId: string, from: string, to: string, requestId: string): Promise<void> {
    const { unitOfWork, passwords, auditLog, clock } = this.options;
    await unitOfWork.transaction(async (tx) => {
      if (!(await passwords.changePassword(tx, { userId, from, to, at: new Date(clock.now()) }))) {
        throw new GatewayError('conflict', 'The password has been changed meanwhile.');
      }
      await auditLog.appendOfMember(tx, userId, {
        actor: { type: 'user', id: userId },
        action: 'member.change_password',
        changes: {},
        requestId,
      });
    });
  }
}
