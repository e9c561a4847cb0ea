import { notifyManager, type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/**
 * As of when the page is, in milliseconds, where an answer that it shows could not be read again: of the oldest such
 * answer. Null while all of them are as fresh as the page wants them.
 */
export function useStaleSince(): number | null {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (listener) => cache.subscribe(notifyManager.batchCalls(listener)),
    () => staleSince(cache),
  );
}

function staleSince(cache: QueryCache): number | null {
  const kept = cache
    .findAll({ type: 'active' })
    .filter(({ state }) => state.status === 'error' && state.data !== undefined)
    .map(({ state }) => state.dataUpdatedAt);
  return kept.length === 0 ? null : Math.min(...kept);
}
