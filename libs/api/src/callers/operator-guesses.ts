import { GatewayError, type Clock } from '@svc/kernel';

/** At most `BURST` wrong tokens of one address at once. One is forgotten every `FORGET_MS`. */
const BURST = 60;
const FORGET_MS = 1_000;
/** What is kept at most. The address that guessed longest ago is forgotten first. */
const ADDRESSES_MAX = 10_000;

/**
 * Limits guesses at the operator's token by the address that they come from. Each process counts its own: the token is
 * long, and is chosen by the operator at worst.
 */
export class OperatorGuesses {
  /** When the guesses of each address are all forgotten. In the order of their last guesses. */
  private readonly forgottenAtMs = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** @throws GatewayError `rateLimit` after too many wrong tokens, for a right one too: it may be a guess. */
  requireRoom(address: string): void {
    const waitMs = this.forgottenAt(address) - this.clock.now() - (BURST - 1) * FORGET_MS;
    if (waitMs <= 0) return;
    throw new GatewayError('rateLimit', 'There were too many wrong tokens from your address.', {
      retryAfterMs: waitMs,
    });
  }

  count(address: string): void {
    const forgottenAtMs = Math.max(this.clock.now(), this.forgottenAt(address)) + FORGET_MS;
    this.forgottenAtMs.delete(address);
    this.forgottenAtMs.set(address, forgottenAtMs);
    if (this.forgottenAtMs.size <= ADDRESSES_MAX) return;
    const [longestAgo] = this.forgottenAtMs.keys();
    if (longestAgo !== undefined) this.forgottenAtMs.delete(longestAgo);
  }

  private forgottenAt(address: string): number {
    return this.forgottenAtMs.get(address) ?? 0;
  }
}
