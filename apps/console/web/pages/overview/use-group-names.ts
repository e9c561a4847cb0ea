import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { type Group, type Grouping } from './groups';
import { text } from './text';

/** The words for groups: names where the role may read them, otherwise ids. */
export function useGroupNames(groups: readonly Group[], by: Grouping): (group: Group) => string {
  const ids = groups.flatMap((group) => (group === 'other' || group.id === null ? [] : [group.id])).sort();
  const query = { ids: ids.join(','), limit: Math.max(ids.length, 1) };
  const canReadKeys = useCan('key:read');
  const canReadProjects = useCan('project:read');
  const hasIds = ids.length > 0;
  const keys = useRead(
    '/keys',
    { params: { query } },
    { enabled: by === 'api_key' && canReadKeys && hasIds, keepsPrevious: true },
  );
  const projects = useRead(
    '/projects',
    { params: { query } },
    { enabled: by === 'project' && canReadProjects && hasIds, keepsPrevious: true },
  );
  const named = by === 'api_key' ? keys.data?.data : by === 'project' ? projects.data?.data : undefined;
  const names = new Map(named?.map(({ id, name }) => [id, name]));
  return (group) => {
    if (group === 'other') return text.other;
    return group.id === null ? text.groups[by].none : (names.get(group.id) ?? group.id);
  };
}
