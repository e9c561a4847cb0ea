import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { type ModelRequest } from '../../calls/request';

export interface Names {
  /** By the ids of keys and projects. What the role may not read is missing. */
  readonly keys: ReadonlyMap<string, string>;
  readonly projects: ReadonlyMap<string, string>;
}

type Named = Pick<ModelRequest, 'api_key_id' | 'project_id'>;

const idsOf = (ids: readonly (string | null)[]): string =>
  [...new Set(ids.filter((id) => id !== null))].sort().join(',');

const toMap = (list: { data: readonly { id: string; name: string }[] } | undefined) =>
  new Map(list?.data.map(({ id, name }) => [id, name]));

/** The names of the keys and projects of the rows that are shown: one call each for a page. */
export function useNames(rows: readonly Named[]): Names {
  const keyIds = idsOf(rows.map(({ api_key_id: id }) => id));
  const projectIds = idsOf(rows.map(({ project_id: id }) => id));
  const canReadKeys = useCan('key:read');
  const canReadProjects = useCan('project:read');
  const keys = useRead(
    '/keys',
    { params: { query: { ids: keyIds } } },
    { enabled: canReadKeys && keyIds !== '', keepsPrevious: true },
  );
  const projects = useRead(
    '/projects',
    { params: { query: { ids: projectIds } } },
    { enabled: canReadProjects && projectIds !== '', keepsPrevious: true },
  );
  return { keys: toMap(keys.data), projects: toMap(projects.data) };
}
