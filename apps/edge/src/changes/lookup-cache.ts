import { refusalFor } from '@svc/database';
import { type LRUCache, lruCache } from '@svc/runtime';

/**
 * The TTL of a cached value when the change feed is down: under the 30 s within which changes reach the edge
 * (docs/reference/limits-and-budgets.md#when-a-change-holds).
 */
const TTL_MS = 10_000;

/** A cache of values that the database holds. Concurrent lookups of one key are coalesced into one. */
export class LookupCache<T> {
  private readonly values: LRUCache<string, { readonly value: T; readonly generation: number }>;
  /** Lookups in flight. An invalidated one still answers its waiting callers, but is not cached. */
  private readonly lookups = new Map<string, Promise<T>>();
  /** Values of earlier generations are stale. */
  private generation = 0;

  constructor(entriesMax: number) {
    // Reading the clock each time costs less than the timer with which the cache would avoid it.
    this.values = lruCache(entriesMax, { ttl: TTL_MS, ttlResolution: 0 });
  }

  /**
   * Returns a cached value synchronously, so that a call with warm caches never waits.
   * @throws what `lookUp` throws, or `overloaded` where the database cannot be reached. Failures are not cached.
   */
  get(key: string, lookUp: () => Promise<T>): T | Promise<T> {
    const cached = this.values.get(key);
    if (cached?.generation === this.generation) return cached.value;
    return this.lookups.get(key) ?? this.startLookup(key, lookUp);
  }

  invalidate(key: string): void {
    this.values.delete(key);
    this.lookups.delete(key);
  }

  /** Takes constant time: clearing 100,000 entries would block all calls for 50 ms. */
  invalidateAll(): void {
    this.generation++;
    this.lookups.clear();
  }

  private startLookup(key: string, lookUp: () => Promise<T>): Promise<T> {
    const isCurrent = () => this.lookups.get(key) === lookup;
    const lookup = lookUp().then(
      (value) => {
        if (isCurrent()) {
          this.values.set(key, { value, generation: this.generation });
          this.lookups.delete(key);
        }
        return value;
      },
      (error: unknown) => {
        if (isCurrent()) this.lookups.delete(key);
        throw refusalFor(error);
      },
    );
    this.lookups.set(key, lookup);
    return lookup;
  }
}
