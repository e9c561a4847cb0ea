import { QueryClient } from '@tanstack/react-query';
import { ApiError, isRetriable } from './api-error';

const RETRIES_MAX = 2;
const RETRY_BASE_MS = 500;
const FRESH_MS = 30_000;
const KEPT_MS = 5 * 60_000;

/** Nothing is persisted: an answer lives in memory, and five minutes after its page was left. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      gcTime: KEPT_MS,
      // A refused rate waits for as long as it was told, in the page, where it can be seen.
      retry: (failures, error) =>
        failures < RETRIES_MAX && isRetriable(error) && !(error instanceof ApiError && error.status === 429),
      retryDelay: (failures) => RETRY_BASE_MS * 2 ** failures,
      refetchIntervalInBackground: false,
      // A reader's place is kept: the page is read again when it is opened, not when its tab is shown.
      refetchOnWindowFocus: false,
    },
    // A write that waits for the network would be sent when nobody expects it any more.
    mutations: { retry: false, networkMode: 'always' },
  },
});
