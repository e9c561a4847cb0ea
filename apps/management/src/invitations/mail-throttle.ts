import { Injectable } from '@nestjs/common';
import { FailedGuessStore, type SentInvitation } from '@svc/access/store';

/** At most `burst` mails at once. One is forgotten every `forgetMs`. */
const PER_MAILBOX = { burst: 5, forgetMs: 20 * 60_000 };
const PER_ORGANIZATION = { burst: 100, forgetMs: 36_000 };

/**
 * Limits the invitations that are mailed, by mailbox over all organizations, and by organization: any organization can
 * invite any address. All processes share the counts.
 */
@Injectable()
export class MailThrottle {
  constructor(private readonly store: FailedGuessStore) {}

  /** Counts a mail. @returns whether it may be sent; one that may not is not counted. */
  async mayMail({ email, organizationId }: SentInvitation): Promise<boolean> {
    const waitMs = await this.store.begin({
      network: { guesser: `invitations of ${organizationId}`, ...PER_ORGANIZATION },
      pair: { guesser: `invitations to ${email}`, ...PER_MAILBOX },
    });
    return waitMs <= 0;
  }
}
