import { setTimeout as pause } from 'node:timers/promises';
import { lruCache } from './lru-cache';

describe('a cache of the most recently used', () => {
  it('forgets the least recently used of more entries than it may have', () => {
    const cache = lruCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect([...cache.keys()].sort()).toEqual(['a', 'c']);
  });

  it('keeps one entry a key, whose value is the last that was set', () => {
    const cache = lruCache<string, number>(2);
    for (const value of [1, 2, 3]) cache.set('a', value);
    cache.set('b', 4);
    expect([...cache.entries()].sort()).toEqual([
      ['a', 3],
      ['b', 4],
    ]);
  });

  it('forgets what is older than its TTL', async () => {
    const cache = lruCache<string, number>(2, { ttl: 1, ttlResolution: 0 });
    cache.set('a', 1);
    await pause(10);
    expect(cache.get('a')).toBeUndefined();
  });
});
