import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { accountApi } from '../../api/client';
import { type components } from '../../api/generated/auth';

type ScopeTable = components['schemas']['ScopeTable'];

/** Every scope with the words of the consent page. */
export const useScopes = (): UseQueryResult<ScopeTable> =>
  useQuery({
    queryKey: ['/api/v1/oauth/scopes'],
    queryFn: ({ signal }) => accountApi.get('/api/v1/oauth/scopes', { signal }),
    staleTime: Infinity,
  });
