import { useMemo } from 'react';
import { useCan } from '../session/organization';
import { useRead } from './use-api';

const IDS_MAX = 100;
const permissions = { '/keys': 'key:read', '/projects': 'project:read', '/members': 'member:read' } as const;

/** By id. What the role may not read, and what is not there any more, is missing. */
export type NamesById = ReadonlyMap<string, string>;

/** The names of the keys or projects, or the e-mail addresses of the members, that are shown, at most 100: one call for a page of rows. */
export function useNames(
  path: keyof typeof permissions,
  ids: readonly (string | null | undefined)[],
): NamesById {
  const canRead = useCan(permissions[path]);
  const distinct = [...new Set(ids.filter((id) => id !== null && id !== undefined))].sort();
  const query = { ids: distinct.slice(0, IDS_MAX).join(',') };
  const enabled = canRead && distinct.length > 0;
  const { data } = useRead(path, { params: { query } }, { enabled, keepsPrevious: true });
  return useMemo(
    () => new Map(data?.data.map((one) => [one.id, 'email' in one ? one.email : one.name])),
    [data],
  );
}
