import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useOrganization } from '../session/organization';
import { accountApi } from './client';
import { type components } from './generated/management';

export type OwnOrganization = components['schemas']['Organization'];

/** The start of the keys of this read, for what invalidates it. */
export const ORGANIZATION = '/organization';

/** The organization of the address, as the API tells it. */
export function useOwnOrganization(): UseQueryResult<OwnOrganization> {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, ORGANIZATION],
    queryFn: ({ signal }) =>
      accountApi.get('/api/v1/organizations/{organization_id}', {
        params: { path: { organization_id: id } },
        signal,
      }),
  });
}
