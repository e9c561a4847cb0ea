import { type CatalogEndpoint, type CatalogModel } from '../../api/use-catalog';
import { type ModelFilter } from './list';

const hasWords = ({ id, display_name, aliases }: CatalogModel, words: readonly string[]): boolean => {
  const named = [id, display_name, ...aliases].join('\n').toLowerCase();
  return words.every((word) => named.includes(word));
};

/** The models that a filter leaves, in their order. One endpoint has to have both the provider and the route. */
export function matchingModels(
  models: readonly CatalogModel[],
  { q = '', provider, context = 0, route, eligible }: ModelFilter,
): readonly CatalogModel[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const serves = (endpoint: CatalogEndpoint) =>
    (provider === undefined || endpoint.provider === provider) &&
    (route === undefined || endpoint.operations.includes(route));
  return models.filter(
    (model) =>
      hasWords(model, words) &&
      model.context_window >= context &&
      model.endpoints.some(serves) &&
      (eligible === undefined || model.eligible === undefined || model.eligible === eligible),
  );
}

/** The endpoint whose price a list shows: the cheapest that calls can use, else the cheapest. Null without endpoints. */
export function cheapestEndpoint({ endpoints }: CatalogModel): CatalogEndpoint | null {
  const usable = endpoints.filter(({ eligible }) => eligible !== false);
  const price = ({ prices }: CatalogEndpoint) => prices.input + prices.output;
  const [cheapest] = [...(usable.length > 0 ? usable : endpoints)].sort(
    (one, two) => price(one) - price(two),
  );
  return cheapest ?? null;
}
