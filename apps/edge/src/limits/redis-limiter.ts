import { admit, type BucketDemand, type BucketHolder } from '@svc/limits';
import { AFFINITY_TTL_MS } from '@svc/policy';
import { affinityRecord, type RedisBuckets } from '@svc/redis';
import { type AffinityName } from '../call/call-affinity';
import { limitDecision } from './limit-decision';
import { type LimitDecision, type RateLimiter } from './rate-limiter';

const NOTHING: BucketDemand = { requests: 0, tokens: 0 };

/** The buckets in Redis, shared by all gateways. While Redis is unreachable, every call is refused (503). */
export class RedisLimiter implements RateLimiter {
  constructor(private readonly redisBuckets: RedisBuckets) {}

  async admit(
    owner: BucketHolder,
    demand: BucketDemand,
    affinity: AffinityName | null = null,
  ): Promise<LimitDecision> {
    const taken = await this.redisBuckets.take(owner, demand, affinity && recordOf(affinity));
    const decision = limitDecision(owner.buckets, taken, () =>
      // The caller must get its refusal even if this fails: the buckets refill within a minute.
      this.redisBuckets.giveBack(owner, demand).catch(() => undefined),
    );
    return taken.entry === undefined ? decision : { ...decision, entry: taken.entry };
  }

  keepEntry(affinity: AffinityName, entry: string): void {
    this.redisBuckets.writeEntry(recordOf(affinity), entry, AFFINITY_TTL_MS).catch(() => undefined);
  }

  async peek(owner: BucketHolder, demand: BucketDemand): Promise<LimitDecision> {
    const { buckets } = owner;
    const { states } = await this.redisBuckets.take(owner, NOTHING);
    const nowMs = Math.max(...states.map(({ updatedAtMs }) => updatedAtMs));
    return limitDecision(buckets, admit(buckets, states, demand, nowMs));
  }
}

const recordOf = ({ organizationId, key }: AffinityName): string => affinityRecord(organizationId, key);
