import { type OnModuleDestroy } from '@nestjs/common';
import { newResetLink, type PasswordStore } from '@svc/access/store';
import { GatewayError, type Clock } from '@svc/kernel';
import { type UnitOfWork } from '@svc/database';
import { type Mailer } from '@svc/http';
import { type Logger } from '@svc/runtime/observability';
import { MailsUnderWay } from '../mails/mails-under-way';

interface PasswordResetMailOptions {
  readonly unitOfWork: UnitOfWork;
  readonly passwords: PasswordStore;
  readonly mailer: Mailer | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly baseUrl: string;
}

/** Mails links for replacing a forgotten password. */
export class PasswordResetMail implements OnModuleDestroy {
  private readonly mails: MailsUnderWay;

  constructor(private readonly options: PasswordResetMailOptions) {
    this.mails = new MailsUnderWay(options.logger);
  }

  /** True where the installation sends mail at all. */
  get isPossible(): boolean {
    return this.options.mailer !== undefined;
  }

  /**
   * Looks the address up and mails only after the answer, so that neither its words nor its time reveal whether the
   * address has an account.
   * @throws GatewayError `overloaded` while too many mails are under way.
   */
  begin(email: string, requestId: string): void {
    if (this.mails.isFull) {
      throw new GatewayError('overloaded', 'Too many emails are being sent. Try again in a moment.');
    }
    this.mails.begin(() => this.send(email), requestId, 'password reset not mailed');
  }

  onModuleDestroy(): Promise<void> {
    return this.mails.settle();
  }

  private async send(email: string): Promise<void> {
    const { unitOfWork, passwords, mailer, clock, baseUrl } = this.options;
    if (mailer === undefined) return;
    const { url, secretSha256, expiresAt } = newResetLink(baseUrl, clock.now());
    const reset = { email, secretSha256, mailed: true, expiresAt };
    const userId = await unitOfWork.transaction((tx) => passwords.issueReset(tx, reset));
    if (userId === null) return;
    await mailer.send({ to: email, subject: 'Set a new password', text: letter(url, expiresAt) });
  }
}

const letter = (url: string, expiresAt: Date): string => `Hello,

Somebody, probably you, requested a new password for your account. To set one, open this link:

${url}

The link works once and expires at ${expiresAt.toUTCString()}. Anyone who has it can set your password.

If you did not request it, ignore this email. Your password does not change.
`;
