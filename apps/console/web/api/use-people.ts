import { useCan } from '../session/organization';
import { useRead } from './use-api';

const SHOWN_MAX = 100;

/** E-mail addresses by the id of the user and by that of the membership. Who is not there, or may not be read, stays an id. */
export type People = ReadonlyMap<string, string>;

/** The newest hundred members of the organization, for the names of those who did something. */
export function usePeople(isNeeded = true): People {
  const query = { limit: SHOWN_MAX };
  const { data } = useRead('/members', { params: { query } }, { enabled: useCan('member:read') && isNeeded });
  return new Map(
    data?.data.flatMap(({ id, user_id: userId, email }) => [
      [id, email],
      [userId, email],
    ]),
  );
}
