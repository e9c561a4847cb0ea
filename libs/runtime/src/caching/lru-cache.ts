import { LRUCache } from 'lru-cache';

export type { LRUCache };

type Expiry = Pick<LRUCache.OptionsBase<never, never, never>, 'ttl' | 'ttlResolution'>;

const one = (): number => 1;

/**
 * A cache that forgets the least recently used of more than `entriesMax` entries. It takes memory as it fills: with `max`,
 * lru-cache takes all of it at once, which costs a start 30 ms and 3 MB for 100,000 entries.
 */
export const lruCache = <Key extends string, Value extends NonNullable<unknown>>(
  entriesMax: number,
  expiry: Expiry = {},
): LRUCache<Key, Value> => new LRUCache({ ...expiry, maxSize: entriesMax, sizeCalculation: one });
