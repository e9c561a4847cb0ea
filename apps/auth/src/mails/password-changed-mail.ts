import { type OnModuleDestroy } from '@nestjs/common';
import { type Clock } from '@svc/kernel';
import { type Mailer } from '@svc/http';
import { type Logger } from '@svc/runtime/observability';
import { MailsUnderWay } from './mails-under-way';

interface PasswordChangedMailOptions {
  readonly mailer: Mailer | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly baseUrl: string;
}

/** Tells users that their password is another one, so that they notice a change that is not theirs (ASVS 5.0, 6.3.7). */
export class PasswordChangedMail implements OnModuleDestroy {
  private readonly mails: MailsUnderWay;

  constructor(private readonly options: PasswordChangedMailOptions) {
    this.mails = new MailsUnderWay(options.logger);
  }

  /** Once the change is committed. Without a mail server nobody is told. */
  begin(email: string, requestId: string): void {
    const { mailer, clock, baseUrl } = this.options;
    if (mailer === undefined || this.mails.isFull) return;
    const text = letter(new Date(clock.now()), baseUrl);
    const mail = { to: email, subject: 'Your password was changed', text };
    this.mails.begin(() => mailer.send(mail), requestId, 'change of a password not mailed');
  }

  onModuleDestroy(): Promise<void> {
    return this.mails.settle();
  }
}

const letter = (at: Date, baseUrl: string): string => `Hello,

The password of your account at ${baseUrl} was changed at ${at.toUTCString()}. All sessions have ended.

If that was not you, set a new password now and contact an owner of your organization.
`;
