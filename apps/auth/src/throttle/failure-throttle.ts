import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { GatewayError, type Clock } from '@svc/kernel';

/** So many failures at once; one of them is forgotten each `forgetMs`. */
export interface FailureLimit {
  readonly burst: number;
  readonly forgetMs: number;
}

/** The wait it asks for is at most `forgetMs`: no longer than what `Retry-After` may say. */
const PER_SUBJECT: FailureLimit = { burst: 5, forgetMs: 60_000 };
const PER_ADDRESS: FailureLimit = { burst: 30, forgetMs: 10_000 };
const REMEMBERED = 20_000;

/** A guess at a secret that has been let through. It counts as failed until it is told to have succeeded. */
export interface Guess {
  succeeded(): void;
}

/**
 * Limits guesses at secrets by the address that they come from, and by address and subject (an account, a client):
 * never by subject alone, so that nobody is locked out by somebody elsewhere (contract.md section 9).
 */
export class FailureThrottle {
  private readonly bySubject: FailureCounts;
  private readonly byAddress: FailureCounts;

  constructor(clock: Clock) {
    this.bySubject = new FailureCounts(PER_SUBJECT, clock);
    this.byAddress = new FailureCounts(PER_ADDRESS, clock);
  }

  /**
   * Counted before the guess is judged, so that many at once are not let through together.
   * @param subject at most some hundred characters.
   * @throws GatewayError `rateLimit` while there were too many failures. The guess itself then counts nowhere.
   */
  begin(subject: string, address: string): Guess {
    const network = networkOf(address);
    const pair = `${network} ${subject}`;
    const retryAfterMs = Math.max(this.bySubject.waitMs(pair), this.byAddress.waitMs(network));
    if (retryAfterMs > 0) {
      const seconds = String(Math.ceil(retryAfterMs / 1000));
      const message = `There were too many failed attempts from your address. Try again in ${seconds} s.`;
      throw new GatewayError('rateLimit', message, { retryAfterMs });
    }
    this.bySubject.add(pair);
    this.byAddress.add(network);
    return {
      succeeded: () => {
        this.bySubject.forget(pair);
        this.byAddress.takeBack(network);
      },
    };
  }
}

/** Keeps, of each key, when its last failure will be forgotten. The least recently guessed at is forgotten first. */
class FailureCounts {
  private readonly clearAtMs = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly limit: FailureLimit,
    private readonly clock: Clock,
  ) {}

  waitMs(key: string): number {
    const { burst, forgetMs } = this.limit;
    return Math.max(0, this.untilClearMs(key) - (burst - 1) * forgetMs);
  }

  add(key: string): void {
    this.clearAtMs.set(key, this.clock.now() + this.untilClearMs(key) + this.limit.forgetMs);
  }

  takeBack(key: string): void {
    this.clearAtMs.set(key, this.clock.now() + this.untilClearMs(key) - this.limit.forgetMs);
  }

  forget(key: string): void {
    this.clearAtMs.delete(key);
  }

  /** No longer than of a full burst: a clock that was set back locks nobody out. */
  private untilClearMs(key: string): number {
    const { burst, forgetMs } = this.limit;
    const remainingMs = (this.clearAtMs.get(key) ?? 0) - this.clock.now();
    return Math.min(Math.max(0, remainingMs), burst * forgetMs);
  }
}

const IPV6_NETWORK_PARTS = 4;

/** Whoever has one IPv6 address has its whole /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, IPV6_NETWORK_PARTS);
  return `${parts.map((part) => part.toString(16)).join(':')}::`;
}
