import { useQuery } from '@tanstack/react-query';
import { type components } from '../../api/generated/management';
import { useApi } from '../../api/use-api';
import { useCan, useOrganization } from '../../session/organization';

type CatalogModel = components['schemas']['CatalogModel'];

/** Says of every endpoint whether calls can use it. */
const standing = { include: 'unavailable' } as const;
const PAGE_SIZE = 100;
/** Of a larger catalog, the first thousand models are enough to find a cheap one. */
const PAGES_MAX = 10;

/** The models of the catalog. Undefined while they are read, and for a role that may not read them. */
export function useModels(): readonly CatalogModel[] | undefined {
  const api = useApi();
  const { id } = useOrganization();
  const canRead = useCan('catalog:read');
  const canReadPolicy = useCan('policy:read');
  const { data } = useQuery({
    queryKey: [id, '/catalog/models', 'all', canReadPolicy],
    queryFn: async ({ signal }) => {
      const models: CatalogModel[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const query = { limit: PAGE_SIZE, ...(cursor && { cursor }), ...(canReadPolicy && standing) };
        const { data: found, next_cursor } = await api.get('/catalog/models', { params: { query }, signal });
        models.push(...found);
        if (next_cursor === null) break;
        cursor = next_cursor;
      }
      return models;
    },
    enabled: canRead,
  });
  return data;
}
