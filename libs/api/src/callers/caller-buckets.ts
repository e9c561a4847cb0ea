import { GatewayError, type Clock } from '@svc/kernel';
import { type CallerIdentity } from './identity';
import { KeyedBuckets } from './keyed-buckets';

/** Of one caller: a hundred a second, more than a person or a tool of theirs makes. */
export const MANAGEMENT_RPM_DEFAULT = 6_000;
const MINUTE_MS = 60_000;

interface BucketOptions {
  /** Calls of one caller a minute, and at once; null: without bound. */
  readonly callsPerMinute: number | null;
  readonly clock: Clock;
}

/**
 * A bucket of management calls for each caller: an API key, a person, a person by an app. It is this process's own, and
 * bounds what one caller can make a process do.
 */
export class CallerBuckets {
  private readonly callsPerMinute: number | null;
  private readonly buckets: KeyedBuckets | null;

  constructor({ callsPerMinute, clock }: BucketOptions) {
    this.callsPerMinute = callsPerMinute;
    this.buckets =
      callsPerMinute === null
        ? null
        : new KeyedBuckets({ refillMs: MINUTE_MS / callsPerMinute, fillMs: MINUTE_MS, clock });
  }

  /** @throws GatewayError `rateLimit` for an empty bucket. */
  take({ actor, userId }: Pick<CallerIdentity, 'actor' | 'userId'>): void {
    if (this.buckets === null) return;
    const caller = [actor.type, actor.id, userId].join(' ');
    const waitMs = this.buckets.waitMs(caller);
    if (waitMs > 0) {
      throw new GatewayError(
        'rateLimit',
        `One caller makes at most ${String(this.callsPerMinute)} management calls a minute.`,
        { retryAfterMs: Math.ceil(waitMs) },
      );
    }
    this.buckets.take(caller);
  }
}
