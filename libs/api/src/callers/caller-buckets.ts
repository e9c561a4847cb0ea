import { GatewayError, type Clock } from '@svc/kernel';
import { type CallerIdentity } from './identity';

/** Of one caller: a hundred a second, more than a person or a tool of theirs makes. */
export const MANAGEMENT_RPM_DEFAULT = 6_000;
const MINUTE_MS = 60_000;
/** What is kept at most. A caller that is forgotten begins with a full bucket. */
const CALLERS_MAX = 10_000;

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
  /** When each caller's bucket is full again. In the order of their last calls, so that the first can be forgotten. */
  private readonly fullAtMs = new Map<string, number>();

  constructor(private readonly options: BucketOptions) {}

  /** @throws GatewayError `rateLimit` for an empty bucket. */
  take({ actor, userId }: Pick<CallerIdentity, 'actor' | 'userId'>): void {
    const { callsPerMinute, clock } = this.options;
    if (callsPerMinute === null) return;
    const caller = [actor.type, actor.id, userId].join(' ');
    const nowMs = clock.now();
    const refillMs = MINUTE_MS / callsPerMinute;
    const fullAtMs = Math.max(nowMs, this.fullAtMs.get(caller) ?? 0) + refillMs;
    const retryAfterMs = fullAtMs - nowMs - MINUTE_MS;
    if (retryAfterMs > 0) {
      throw new GatewayError(
        'rateLimit',
        `One caller makes at most ${String(callsPerMinute)} management calls a minute.`,
        { retryAfterMs: Math.ceil(retryAfterMs) },
      );
    }
    this.fullAtMs.delete(caller);
    this.fullAtMs.set(caller, fullAtMs);
    this.forgetBeyondMost();
  }

  private forgetBeyondMost(): void {
    if (this.fullAtMs.size <= CALLERS_MAX) return;
    for (const oldest of this.fullAtMs.keys()) {
      this.fullAtMs.delete(oldest);
      return;
    }
  }
}
