import { type Clock } from '@svc/kernel';

/** The most that are kept. A key that is forgotten begins with a full bucket. */
const KEYS_MAX = 10_000;

interface KeyedBucketsOptions {
  /** In how long one more fits. */
  readonly refillMs: number;
  /** In how long an empty bucket is full again. */
  readonly fillMs: number;
  readonly clock: Clock;
}

/** A bucket for each key, of this process alone. */
export class KeyedBuckets {
  /** When each bucket is full again. In the order in which they were last taken from, so that the first can be forgotten. */
  private readonly fullAtMs = new Map<string, number>();

  constructor(private readonly options: KeyedBucketsOptions) {}

  /** @returns 0 where one more fits; else in how many milliseconds it does. */
  waitMs(key: string): number {
    const { fillMs, clock } = this.options;
    return Math.max(0, this.fullAfterTaking(key) - clock.now() - fillMs);
  }

  take(key: string): void {
    const fullAtMs = this.fullAfterTaking(key);
    this.fullAtMs.delete(key);
    this.fullAtMs.set(key, fullAtMs);
    if (this.fullAtMs.size <= KEYS_MAX) return;
    const [longestAgo] = this.fullAtMs.keys();
    if (longestAgo !== undefined) this.fullAtMs.delete(longestAgo);
  }

  private fullAfterTaking(key: string): number {
    const { refillMs, clock } = this.options;
    return Math.max(clock.now(), this.fullAtMs.get(key) ?? 0) + refillMs;
  }
}
