import { type CatalogEndpoint, type CatalogModel } from '../../api/use-catalog';
import { type ColumnSort } from '../../ui/table/data-table';
import { cheapestEndpoint } from './matches';
import { type EndpointKey, type ModelKey, type Order } from './orders';

type Values<One, Key extends string> = Readonly<Record<Key, (one: One) => number | string | null>>;

const modelValues: Values<CatalogModel, ModelKey> = {
  model: ({ display_name: name }) => name,
  context: ({ context_window: tokens }) => tokens,
  output: ({ max_output_tokens: tokens }) => tokens,
  input_price: (model) => cheapestEndpoint(model)?.prices.input ?? null,
  output_price: (model) => cheapestEndpoint(model)?.prices.output ?? null,
};

const endpointValues: Values<CatalogEndpoint, EndpointKey> = {
  endpoint: ({ provider, region }) => `${provider} ${region}`,
  input_price: ({ prices }) => prices.input,
  output_price: ({ prices }) => prices.output,
  latency: ({ latency = null }) => latency,
};

const keyOf = <Key extends string>(order: Order<Key>): Key => order.replace(/^-/, '') as Key;
const isDescending = (order: string): boolean => order.startsWith('-');

/** A first press sorts up, a second down, a third gives the catalog's order back. */
export function nextOrder<Key extends string>(
  key: Key,
  order: Order<Key> | undefined,
): Order<Key> | undefined {
  if (order === undefined || keyOf(order) !== key) return key;
  return isDescending(order) ? undefined : `-${key}`;
}

/** The headers that sort, by the order of the address. */
export const sortsBy =
  <Key extends string>(order: Order<Key> | undefined, sort: (next: Order<Key> | undefined) => void) =>
  (key: Key): ColumnSort => ({
    direction:
      order === undefined || keyOf(order) !== key ? null : isDescending(order) ? 'descending' : 'ascending',
    onToggle: () => sort(nextOrder(key, order)),
  });

/** By the order; those without a value last, equal ones as they were. */
const ordered =
  <One, Key extends string>(values: Values<One, Key>) =>
  (all: readonly One[], order: Order<Key> | undefined): readonly One[] => {
    if (order === undefined) return all;
    const valueOf = values[keyOf(order)];
    const sign = isDescending(order) ? -1 : 1;
    return [...all].sort((one, other) => {
      const [a, b] = [valueOf(one), valueOf(other)];
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return sign * (typeof a === 'string' ? a.localeCompare(String(b), 'en') : a - Number(b));
    });
  };
export const orderedModels = ordered(modelValues);
export const orderedEndpoints = ordered(endpointValues);
