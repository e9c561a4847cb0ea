import { type components } from '../api/generated/management';
import { type SnippetOperation } from './languages';

type CatalogModel = components['schemas']['CatalogModel'];
type Endpoint = CatalogModel['endpoints'][number];

/** The price of a short call: as many tokens of answer as of prompt. */
const priceOf = ({ prices }: Endpoint): number => prices.input + prices.output;

/**
 * The model with the cheapest endpoint that serves the operation. What calls cannot use is left out, where that is known.
 * @returns null where none does.
 */
export function cheapestModel(models: readonly CatalogModel[], operation: SnippetOperation): string | null {
  const [cheapest] = models
    .flatMap(({ id, endpoints }) =>
      endpoints
        .filter(({ operations, eligible }) => eligible !== false && operations.includes(operation))
        .map((endpoint) => ({ id, price: priceOf(endpoint) })),
    )
    .sort((one, two) => one.price - two.price);
  return cheapest?.id ?? null;
}
