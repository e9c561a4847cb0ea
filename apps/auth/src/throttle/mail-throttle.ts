import { type FailedGuessStore } from '@svc/access/store';
import { refuseFor } from './failure-throttle';
import { networkOf } from '@svc/http';

/** At most `burst` mails at once. One is forgotten every `forgetMs`, the longest `Retry-After`. */
const PER_MAILBOX = { burst: 3, forgetMs: 20 * 60_000 };
const PER_NETWORK = { burst: 10, forgetMs: 60_000 };

/**
 * Limits the mails that anybody can cause, by the asking network and by mailbox, so that no mailbox is flooded. A
 * mailbox may reach its limit for everybody: its owner then has a mail with a valid link. Addresses without an account
 * count alike.
 */
export class MailThrottle {
  constructor(private readonly store: FailedGuessStore) {}

  /** @throws GatewayError `rateLimit` above the limit. The refused mail is not counted. */
  async count(email: string, address: string): Promise<void> {
    const waitMs = await this.store.begin({
      network: { guesser: `mail from ${networkOf(address)}`, ...PER_NETWORK },
      pair: { guesser: `mail to ${email}`, ...PER_MAILBOX },
    });
    refuseFor(waitMs, 'Too many emails were requested.');
  }
}
