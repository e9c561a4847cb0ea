import { useCan } from '../session/organization';
import { useRead } from './use-api';

const SHOWN_MAX = 100;

/** E-mail addresses by user id. Who is not there, or may not be read, stays an id. */
export type People = ReadonlyMap<string, string>;

/** The newest hundred members of the organization, for the names of those who did something. */
export function usePeople(): People {
  const query = { limit: SHOWN_MAX };
  const { data } = useRead('/members', { params: { query } }, { enabled: useCan('member:read') });
  return new Map(data?.data.map(({ user_id: id, email }) => [id, email]));
}
