import { Inject, Injectable } from '@nestjs/common';
import { type Mailer } from '@svc/http';
import { type Logger } from '@svc/runtime/observability';
import { LOGGER, MAILER } from '../runtime';
import { type IssuedInvitation } from './invitation-issuer';
import { MailThrottle } from './mail-throttle';
import { nameInMail } from './name-in-mail';

/** Mails invitations to invitees. */
@Injectable()
export class InvitationMail {
  constructor(
    @Inject(MAILER) private readonly mailer: Mailer | null,
    private readonly throttle: MailThrottle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** True where this installation sends mail. */
  get isPossible(): boolean {
    return this.mailer !== null;
  }

  /**
   * Never fails: an invitation that was not mailed can be sent again.
   * @returns whether the mail server accepted the mail; false without one, and where mailbox or organization has had too
   * many.
   */
  async send({ invitation, mailedUrl }: IssuedInvitation, organizationName: string): Promise<boolean> {
    if (this.mailer === null) return false;
    const name = nameInMail(organizationName);
    const text = letter(name, mailedUrl, invitation.expiresAt);
    try {
      const isOfOperator = invitation.invitedBy === null;
      if (!isOfOperator && !(await this.throttle.mayMail(invitation))) return false;
      await this.mailer.send({
        to: invitation.email,
        subject: `Invitation to ${name}`,
        text,
      });
      return true;
    } catch (error) {
      this.logger.warn({ err: error, invitation_id: invitation.id }, 'invitation not mailed');
      return false;
    }
  }
}

const letter = (organizationName: string, acceptUrl: string, expiresAt: Date): string => `Hello,

You have been invited to join the organization “${organizationName}”. To accept, open this link:

${acceptUrl}

The link is for you only: anyone who has it can join in your place. It expires at ${expiresAt.toUTCString()}.

If you did not expect this invitation, ignore this email.
`;
