import { type BucketDemand } from '@svc/inference';
import { type RedisBuckets } from '@svc/redis';
import { limitDecision } from './limit-decision';
import { type BucketOwner, type LimitDecision, type RateLimiter } from './rate-limiter';

/** The four buckets in Redis, shared by all gateways. While Redis is away, every call is refused (503). */
export class RedisLimiter implements RateLimiter {
  constructor(private readonly redisBuckets: RedisBuckets) {}

  async admit(owner: BucketOwner, demand: BucketDemand): Promise<LimitDecision> {
    const admission = await this.redisBuckets.take(owner, demand);
    return limitDecision(owner.buckets, admission, () =>
      // A refusal must reach its caller as what it is; what is not given back refills within a minute.
      this.redisBuckets.giveBack(owner, demand).catch(() => undefined),
    );
  }
}
