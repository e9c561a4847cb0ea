import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/use-api';
import { useCan, useOrganization } from '../session/organization';
import { type Subject } from './policy';
import { operationWords } from './text';

const PAGE_SIZE = 100;
/** A catalog is a file that an operator writes: a thousand models are many. */
const PAGES_MAX = 10;

export interface CatalogNames extends Readonly<Record<Subject, readonly string[]>> {
  /** The first model that can be called; undefined without one. */
  readonly callable: string | undefined;
  /** Whether the whole catalog was read: only then a name can be said to be missing. */
  readonly isWhole: boolean;
}

/** The routes of inference are not of the catalog. */
const operations = Object.keys(operationWords);
const unknown: CatalogNames = {
  providers: [],
  regions: [],
  models: [],
  operations,
  callable: undefined,
  isWhole: false,
};

/** The names of the catalog, those that the policy denies included. Empty until they are there. */
export function useCatalogNames(): CatalogNames {
  const api = useApi();
  const { id } = useOrganization();
  const canRead = useCan('catalog:read');
  // With the models that the policy denies, where the role may know of them.
  const canReadPolicy = useCan('policy:read');
  const include = canReadPolicy ? ({ include: 'unavailable' } as const) : {};
  const { data = unknown } = useQuery({
    queryKey: [id, 'names of the catalog', canReadPolicy],
    enabled: canRead,
    queryFn: async ({ signal }): Promise<CatalogNames> => {
      const models: string[] = [];
      const [providers, regions] = [new Set<string>(), new Set<string>()];
      let callable: string | undefined;
      let cursor: string | null = null;
      for (let page = 0; page < PAGES_MAX; page++) {
        const query: { include?: 'unavailable'; limit: number; cursor?: string } = {
          ...include,
          limit: PAGE_SIZE,
          ...(cursor !== null && { cursor }),
        };
        const { data: read, next_cursor } = await api.get('/catalog/models', { params: { query }, signal });
        for (const model of read) {
          models.push(model.id);
          if (model.eligible !== false) callable ??= model.id;
          for (const { provider, region } of model.endpoints) {
            providers.add(provider);
            regions.add(region);
          }
        }
        cursor = next_cursor;
        if (cursor === null) break;
      }
      return {
        providers: [...providers].sort(),
        regions: [...regions].sort(),
        models: models.sort(),
        operations,
        callable,
        isWhole: cursor === null && canReadPolicy,
      };
    },
  });
  return data;
}
