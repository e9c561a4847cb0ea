import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { accountApi } from '../../api/client';
import { type components } from '../../api/generated/auth';
import { useOrganization } from '../../session/organization';

export type OwnSession = components['schemas']['OwnSession'];

/** The start of the keys of this read, for what invalidates it. */
export const SESSIONS = '/auth/sessions';

/** The live sessions of the user, newest first. They are the same in every organization. */
export function useSessions(): UseQueryResult<readonly OwnSession[]> {
  const { id } = useOrganization();
  return useQuery({
    queryKey: [id, SESSIONS],
    queryFn: async ({ signal }): Promise<readonly OwnSession[]> =>
      (await accountApi.get('/auth/sessions', { signal })).data,
  });
}
