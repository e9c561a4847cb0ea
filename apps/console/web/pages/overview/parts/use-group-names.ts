import { useNames } from '../../../api/use-names';
import { shortId } from '../../../format/ids';
import { type Group, type Grouping } from '../groups';
import { text } from './text';

/** The words for groups: names where the role may read them, otherwise ids. */
export function useGroupNames(groups: readonly Group[], by: Grouping): (group: Group) => string {
  const ids = groups.flatMap((group) => (group === 'other' ? [] : [group.id]));
  const keys = useNames('/keys', by === 'api_key' ? ids : []);
  const projects = useNames('/projects', by === 'project' ? ids : []);
  const names = by === 'api_key' ? keys : projects;
  return (group) => {
    if (group === 'other') return text.other;
    if (by === 'end_user') return group.name ?? shortId(group.id ?? '');
    return group.id === null ? text.groups[by].none : (names.get(group.id) ?? group.id);
  };
}
