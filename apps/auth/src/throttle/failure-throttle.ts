import { GatewayError } from '@svc/kernel';
import { type FailedGuessStore, type GuessCounts } from '@svc/access/store';
import { networkOf } from '@svc/http';

/** At most `burst` failures at once. One is forgotten every `forgetMs`, the longest `Retry-After`. */
const PER_SUBJECT = { burst: 5, forgetMs: 60_000 };
const PER_ADDRESS = { burst: 30, forgetMs: 10_000 };

/** A guess at a secret that was let through. It counts as failed until `succeeded` is called. */
interface Guess {
  succeeded(): Promise<void>;
}

/**
 * Limits guesses at secrets by the address that they come from, and by address and subject (an account, a client):
 * never by subject alone, so that nobody elsewhere can lock a user out
 * (docs/reference/sessions-and-members.md#failed-attempts). All processes of auth share the counts.
 */
export class FailureThrottle {
  constructor(private readonly store: FailedGuessStore) {}

  /**
   * Counts a guess before it is checked, so that concurrent guesses cannot exceed the limit.
   * @param subject at most some hundred characters.
   * @throws GatewayError `rateLimit` after too many failures. The refused guess itself is not counted.
   */
  async begin(subject: string, address: string): Promise<Guess> {
    const counts = countsOf(subject, address);
    refuseFor(await this.store.begin(counts), TOO_MANY_FAILURES);
    return { succeeded: () => this.store.forgive(counts) };
  }

  /**
   * For a guess that is already checked. Only a wrong one is counted, so that concurrent right ones never count as
   * failures. Use it only for secrets that are too long to be guessed: the burst does not bound how many concurrent
   * guesses are checked.
   * @throws GatewayError as {@link begin}, right or not.
   */
  async judged(subject: string, address: string, isRight: boolean): Promise<void> {
    const counts = countsOf(subject, address);
    refuseFor(await (isRight ? this.store.pass(counts) : this.store.begin(counts)), TOO_MANY_FAILURES);
  }

  /** Forgets the failures at a subject from an address: its secret has changed. */
  async forget(subject: string, address: string): Promise<void> {
    await this.store.forget(countsOf(subject, address).pair);
  }
}

function countsOf(subject: string, address: string): GuessCounts {
  const network = networkOf(address);
  return {
    network: { guesser: network, ...PER_ADDRESS },
    pair: { guesser: `${network} ${subject}`, ...PER_SUBJECT },
  };
}

const TOO_MANY_FAILURES = 'There were too many failed attempts from your address.';

/** @throws GatewayError `rateLimit` where the caller must wait. */
export function refuseFor(waitMs: number, reason: string): void {
  if (waitMs <= 0) return;
  const seconds = String(Math.ceil(waitMs / 1000));
  const message = `${reason} Try again in ${seconds} s.`;
  throw new GatewayError('rateLimit', message, { retryAfterMs: Math.ceil(waitMs) });
}
