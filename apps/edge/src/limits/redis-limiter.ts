import { admit, type BucketDemand, type BucketHolder } from '@svc/limits';
import { type RedisBuckets } from '@svc/redis';
import { limitDecision } from './limit-decision';
import { type LimitDecision, type RateLimiter } from './rate-limiter';

const NOTHING: BucketDemand = { requests: 0, tokens: 0 };

/** The buckets in Redis, shared by all gateways. While Redis is unreachable, every call is refused (503). */
export class RedisLimiter implements RateLimiter {
  constructor(private readonly redisBuckets: RedisBuckets) {}

  async admit(owner: BucketHolder, demand: BucketDemand): Promise<LimitDecision> {
    const admission = await this.redisBuckets.take(owner, demand);
    return limitDecision(owner.buckets, admission, () =>
      // The caller must get its refusal even if this fails: the buckets refill within a minute.
      this.redisBuckets.giveBack(owner, demand).catch(() => undefined),
    );
  }

  async peek(owner: BucketHolder, demand: BucketDemand): Promise<LimitDecision> {
    const { buckets } = owner;
    const { states } = await this.redisBuckets.take(owner, NOTHING);
    const nowMs = Math.max(...states.map(({ updatedAtMs }) => updatedAtMs));
    return limitDecision(buckets, admit(buckets, states, demand, nowMs));
  }
}
