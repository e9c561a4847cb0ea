import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useApi } from '../../api/use-api';
import { useOrganization } from '../../session/organization';

const LOOK_EVERY_MS = 1_000;
/** A call is on record before a provider is asked: what is not found by then never came that far. */
const LOOKS_MAX = 5;

/** The id of the call with this trace; null where none is on record after some seconds. */
export function useRequestOfTrace(traceId: string): UseQueryResult<string | null> {
  const api = useApi();
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, '/requests', 'of trace', traceId],
    queryFn: async ({ signal }): Promise<string | null> => {
      const query = { trace_id: traceId, limit: 1 };
      for (let look = 1; ; look++) {
        const { data } = await api.get('/requests', { params: { query }, signal });
        const [found] = data;
        if (found !== undefined) return found.id;
        if (look === LOOKS_MAX) return null;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    },
  });
}
