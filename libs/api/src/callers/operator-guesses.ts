import { GatewayError, type Clock } from '@svc/kernel';
import { KeyedBuckets } from './keyed-buckets';

/** At most `BURST` wrong tokens of one address at once. One is forgotten every `FORGET_MS`. */
const BURST = 60;
const FORGET_MS = 1_000;

/**
 * Limits guesses at the operator's token by the address that they come from. Each process counts its own: the token is
 * long, and is chosen by the operator at worst.
 */
export class OperatorGuesses {
  private readonly addresses: KeyedBuckets;

  constructor(clock: Clock) {
    this.addresses = new KeyedBuckets({ refillMs: FORGET_MS, fillMs: BURST * FORGET_MS, clock });
  }

  /** @throws GatewayError `rateLimit` after too many wrong tokens, for a right one too: it may be a guess. */
  requireRoom(address: string): void {
    const retryAfterMs = this.addresses.waitMs(address);
    if (retryAfterMs === 0) return;
    throw new GatewayError('rateLimit', 'There were too many wrong tokens from your address.', {
      retryAfterMs,
    });
  }

  count(address: string): void {
    this.addresses.take(address);
  }
}
