import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { callEdge } from '../../api/edge';
import { parseExact } from '../../api/exact-json';
import { useCatalog, type CatalogModel } from '../../api/use-catalog';
import { cheapestModel } from '../../calls/cheapest-model';
import { type SnippetOperation } from '../../calls/languages';
import { useRested } from '../../browser/use-rested';
import { useCan, useOrganization } from '../../session/organization';
import { isKey, type PastedKey } from './pasted-key';
import { text } from './text';

/** A model to choose. */
export interface OfferedModel {
  readonly id: string;
  readonly name: string;
  /** Why it cannot be chosen; null where it can. */
  readonly problem: string | null;
}

export interface OfferedModels {
  readonly models: readonly OfferedModel[];
  /** The model that is asked unless another is chosen; null where none can be called. */
  readonly first: string | null;
}

/**
 * The models of the catalog, those that cannot be called with their reason. A role that may not read the catalog sees
 * those that the pasted key can call.
 */
export function useModels(operation: SnippetOperation, pasted: PastedKey): UseQueryResult<OfferedModels> {
  const canRead = useCan('catalog:read');
  const catalog = useCatalog();
  const listed = useListedModels(useRested(pasted), !canRead);
  const offered = canRead ? catalog : listed;
  return {
    ...offered,
    data: canRead ? catalog.data && offeredOf(catalog.data, operation) : listed.data,
  } as UseQueryResult<OfferedModels>;
}

const offeredOf = (models: readonly CatalogModel[], operation: SnippetOperation): OfferedModels => {
  const offered = models.map((model) => ({
    id: model.id,
    name: model.display_name,
    problem: problemOf(model, operation),
  }));
  return {
    models: [...offered].sort((one, other) => Number(one.problem !== null) - Number(other.problem !== null)),
    first: cheapestModel(
      models.filter(({ id }) => offered.some((model) => model.id === id && model.problem === null)),
      operation,
    ),
  };
};

function problemOf(
  { eligible, reasons, endpoints }: CatalogModel,
  operation: SnippetOperation,
): string | null {
  const serving = endpoints.filter(({ operations }) => operations.includes(operation));
  if (serving.length === 0) return text.settings.notServed;
  if (eligible !== false && serving.some((endpoint) => endpoint.eligible !== false)) return null;
  const said = [...(reasons ?? []), ...serving.flatMap((endpoint) => endpoint.reasons ?? [])];
  return [...new Set(said.map(({ message }) => message))].join(' ') || text.settings.refused;
}

interface ModelList {
  readonly data: readonly { readonly id: string; readonly display_name: string }[];
}

/** Models that a pasted key can call. The cache knows the key by its number alone. */
function useListedModels(
  { secret: key, number }: PastedKey,
  isNeeded: boolean,
): UseQueryResult<OfferedModels> {
  const { id } = useOrganization();
  return useQuery<OfferedModels>({
    queryKey: [id, '/v1/models', number],
    queryFn: async ({ signal }) => {
      const answer = await callEdge({ path: '/v1/models', key, signal });
      const { data } = parseExact(await answer.text()) as ModelList;
      return {
        models: data.map(({ id: modelId, display_name: name }) => ({ id: modelId, name, problem: null })),
        first: data[0]?.id ?? null,
      };
    },
    enabled: isNeeded && isKey(key),
    gcTime: 0,
  });
}
