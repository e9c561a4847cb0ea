import { GatewayError } from '@svc/kernel';
import { networkOf } from '@svc/http';

const ANSWERS_A_MINUTE = 60;
const MINUTE_MS = 60_000;
/** Further addresses pass uncounted until the minute is over: what they get is cached, and costs little. */
const ADDRESSES_MAX = 50_000;

/** Counts answers by address and minute, in this process. */
export class VisitorLimit {
  private minute = -1;
  private readonly counts = new Map<string, number>();

  /** @throws GatewayError `rateLimit` above 60 answers a minute. */
  count(address: string, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.counts.clear();
    }
    const network = networkOf(address);
    const count = (this.counts.get(network) ?? 0) + 1;
    if (count > ANSWERS_A_MINUTE) {
      const retryAfterMs = (minute + 1) * MINUTE_MS - nowMs;
      throw new GatewayError('rateLimit', 'The status was asked for too often. Try again in a minute.', {
        retryAfterMs,
      });
    }
    if (count > 1 || this.counts.size < ADDRESSES_MAX) this.counts.set(network, count);
  }
}
