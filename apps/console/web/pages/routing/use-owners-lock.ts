import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { type PolicyOwner } from './owner';
import { text } from './text';

/**
 * Why the owner's policy cannot be written any more: an archived project and a revoked key keep theirs as it is. Null where nothing is
 * known against it.
 */
export function useOwnersLock({ level, id }: PolicyOwner): string | null {
  const canReadProjects = useCan('project:read');
  const canReadKeys = useCan('key:read');
  const project = useRead(
    '/projects/{project_id}',
    { params: { path: { project_id: id } } },
    { enabled: level === 'project' && canReadProjects, isReadAnew: true },
  );
  const key = useRead(
    '/keys/{key_id}',
    { params: { path: { key_id: id } } },
    { enabled: level === 'key' && canReadKeys, isReadAnew: true },
  );
  if (level === 'project' && project.data?.state === 'archived') return text.archived;
  return level === 'key' && key.data?.state === 'revoked' ? text.revoked : null;
}
