import { LRUCache } from 'lru-cache';
import { admit, giveBack, type BucketDemand, type BucketHolder, type BucketState } from '@svc/limits';
import { type Clock } from '@svc/kernel';
import { AFFINITY_TTL_MS } from '@svc/policy';
import { lruCache } from '@svc/runtime';
import { type AffinityName } from '../call/call-affinity';
import { limitDecision } from './limit-decision';
import { type LimitDecision, type RateLimiter } from './rate-limiter';

/** An unused bucket is full again after a minute, so deleting it later changes nothing. */
const DELETE_AFTER_MS = 120_000;
const ENTRIES_MAX = 100_000;

interface KeptEntry {
  readonly text: string;
  readonly untilMs: number;
}

/** The buckets in this process's memory: exact as long as only this process serves the organization. */
export class InProcessLimiter implements RateLimiter {
  private readonly states = new LRUCache<string, BucketState>({ ttl: DELETE_AFTER_MS, ttlAutopurge: true });
  private readonly entries = lruCache<string, KeptEntry>(ENTRIES_MAX);

  constructor(private readonly clock: Clock) {}

  async admit(
    owner: BucketHolder,
    demand: BucketDemand,
    affinity: AffinityName | null = null,
  ): Promise<LimitDecision> {
    const { buckets } = owner;
    const names = namesOf(owner);
    const admission = admit(buckets, this.statesOf(names), demand, this.clock.now());
    this.store(names, admission.states);
    const decision = limitDecision(buckets, admission, () => {
      const states = this.statesOf(names).flatMap((state, at) => state ?? admission.states[at] ?? []);
      this.store(names, giveBack(buckets, states, demand));
      return Promise.resolve();
    });
    const entry = affinity === null ? undefined : this.entryOf(affinity);
    return entry === undefined ? decision : { ...decision, entry };
  }

  keepEntry(affinity: AffinityName, text: string): void {
    this.entries.set(entryName(affinity), { text, untilMs: this.clock.now() + AFFINITY_TTL_MS });
  }

  private entryOf(affinity: AffinityName): string | undefined {
    const entry = this.entries.get(entryName(affinity));
    return entry !== undefined && this.clock.now() < entry.untilMs ? entry.text : undefined;
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

const entryName = ({ organizationId, key }: AffinityName): string => `${organizationId}/${key}`;

function namesOf(holder: BucketHolder): readonly string[] {
  const { buckets } = holder;
  if ('credential' in holder) return buckets.map((_, at) => `${holder.credential}/${String(at)}`);
  const { apiKeyId, organizationId, groupIds } = holder;
  const holders = [apiKeyId, organizationId];
  if (groupIds !== undefined) holders.push(...groupIds.map((id) => `${organizationId}:${id}`));
  // Each holder has two.
  return buckets.map(({ unit }, at) => `${String(holders[at >> 1])}/${unit}`);
}
