import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCan, useOrganization } from '../session/organization';
import { organizationApi } from './client';
import { type components } from './generated/management';

export type CatalogModel = components['schemas']['CatalogModel'];
export type CatalogEndpoint = CatalogModel['endpoints'][number];
export type Operation = CatalogEndpoint['operations'][number];

const PAGE_SIZE = 100;

/**
 * Every model of the catalog, whole: it is the file of an operator, not a list that grows with calls. For a role that may
 * read the policy each model and endpoint says whether calls can use it.
 */
export function useCatalog(): UseQueryResult<readonly CatalogModel[]> {
  const { id } = useOrganization();
  const canRead = useCan('catalog:read');
  const canReadPolicy = useCan('policy:read');
  const standing = canReadPolicy ? ({ include: 'unavailable' } as const) : {};
  return useQuery<readonly CatalogModel[]>({
    queryKey: [id, '/catalog/models', 'whole', canReadPolicy],
    queryFn: async ({ signal }) => {
      const models: CatalogModel[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const query = { limit: PAGE_SIZE, ...(cursor && { cursor }), ...standing };
        const page = await organizationApi(id).get('/catalog/models', { params: { query }, signal });
        models.push(...page.data);
        cursor = page.next_cursor;
      }
      return models;
    },
    enabled: canRead,
  });
}
