import { isId } from '@svc/kernel';
import { useNames, type NamesById } from '../../api/use-names';
import { usePeople } from '../../api/use-people';
import { type AuditEntry } from './entry';

/** The names of what the log is filtered by: as of now, and those that entries have of what is gone. */
export function useAuditNames(
  entries: readonly AuditEntry[],
  filtered: readonly (string | undefined)[],
): NamesById {
  const ids = filtered.filter((id) => id !== undefined);
  const people = usePeople(ids.some((id) => isId('user', id)));
  const members = useNames(
    '/members',
    ids.filter((id) => isId('member', id)),
  );
  const keys = useNames(
    '/keys',
    ids.filter((id) => isId('apiKey', id)),
  );
  const projects = useNames(
    '/projects',
    ids.filter((id) => isId('project', id)),
  );
  const labels = entries.flatMap(({ actor, target }) =>
    [actor, target].flatMap(({ id, label }) => (id === null || label === null ? [] : [[id, label] as const])),
  );
  return new Map([...labels, ...people, ...members, ...keys, ...projects]);
}
