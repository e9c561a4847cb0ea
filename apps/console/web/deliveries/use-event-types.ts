import { useQuery } from '@tanstack/react-query';
import { accountApi } from '../api/client';

/** Every event that a receiver can be told of, with its schema and an example. */
export const useEventTypes = () =>
  useQuery({
    queryKey: ['/api/v1/webhook-events'],
    queryFn: ({ signal }) => accountApi.get('/api/v1/webhook-events', { signal }),
  });
