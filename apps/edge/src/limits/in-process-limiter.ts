import { LRUCache } from 'lru-cache';
import { admit, giveBack, type BucketDemand, type BucketHolder, type BucketState } from '@svc/limits';
import { type Clock } from '@svc/kernel';
import { limitDecision } from './limit-decision';
import { type LimitDecision, type RateLimiter } from './rate-limiter';

/** An unused bucket is full again after a minute, so deleting it later changes nothing. */
const DELETE_AFTER_MS = 120_000;

/** The buckets in this process's memory: exact as long as only this process serves the organization. */
export class InProcessLimiter implements RateLimiter {
  private readonly states = new LRUCache<string, BucketState>({ ttl: DELETE_AFTER_MS, ttlAutopurge: true });

  constructor(private readonly clock: Clock) {}

  async admit(owner: BucketHolder, demand: BucketDemand): Promise<LimitDecision> {
    const { buckets } = owner;
    const names = namesOf(owner);
    const admission = admit(buckets, this.statesOf(names), demand, this.clock.now());
    this.store(names, admission.states);
    return limitDecision(buckets, admission, () => {
      const states = this.statesOf(names).flatMap((state, at) => state ?? admission.states[at] ?? []);
      this.store(names, giveBack(buckets, states, demand));
      return Promise.resolve();
    });
  }

  async peek(owner: BucketHolder, demand: BucketDemand): Promise<LimitDecision> {
    const { buckets } = owner;
    return limitDecision(buckets, admit(buckets, this.statesOf(namesOf(owner)), demand, this.clock.now()));
  }

  private statesOf(names: readonly string[]): (BucketState | null)[] {
    return names.map((name) => this.states.get(name) ?? null);
  }

  private store(names: readonly string[], states: readonly BucketState[]): void {
    names.forEach((name, at) => this.states.set(name, states[at]));
  }
}

function namesOf(holder: BucketHolder): readonly string[] {
  const { buckets } = holder;
  if ('credential' in holder) return buckets.map((_, at) => `${holder.credential}/${String(at)}`);
  const { apiKeyId, organizationId, groupIds } = holder;
  const holders = [apiKeyId, organizationId];
  if (groupIds !== undefined) holders.push(...groupIds.map((id) => `${organizationId}:${id}`));
  // Each holder has two.
  return buckets.map(({ unit }, at) => `${String(holders[at >> 1])}/${unit}`);
}
