import { type Logger, type Mailer } from '@svc/platform';
import { type IssuedInvitation } from './invitation-issuer';

/** Tells invited ones by mail. */
export class InvitationMail {
  constructor(
    private readonly mailer: Mailer | undefined,
    private readonly logger: Logger,
  ) {}

  /**
   * Fails nobody: whoever invites has the link too.
   * @returns whether the mail server took it; false without one.
   */
  async send({ invitation, acceptUrl }: IssuedInvitation, organizationName: string): Promise<boolean> {
    if (this.mailer === undefined) return false;
    const text = letter(organizationName, acceptUrl, invitation.expiresAt);
    try {
      await this.mailer.send({
        to: invitation.email,
        subject: `Invitation to ${organizationName}`,
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

you have been invited to join the organization “${organizationName}”. To accept, open this page:

${acceptUrl}

The link is yours alone: whoever has it can join in your place. It works until ${expiresAt.toUTCString()}.

If you do not know what this is about, ignore this mail.
`;
