import { type CatalogModel } from '../../api/use-catalog';
import { cheapestEndpoint } from './matches';

/** What models can be sorted by; with a minus, the greatest first. */
const keys = ['model', 'context', 'output', 'input_price', 'output_price'] as const;
export type OrderKey = (typeof keys)[number];
export type Order = OrderKey | `-${OrderKey}`;

export const orders: readonly Order[] = keys.flatMap((key): Order[] => [key, `-${key}`]);

const values: Readonly<Record<OrderKey, (model: CatalogModel) => number | string | null>> = {
  model: ({ display_name: name }) => name,
  context: ({ context_window: tokens }) => tokens,
  output: ({ max_output_tokens: tokens }) => tokens,
  input_price: (model) => cheapestEndpoint(model)?.prices.input ?? null,
  output_price: (model) => cheapestEndpoint(model)?.prices.output ?? null,
};

export const keyOf = (order: Order): OrderKey => order.replace(/^-/, '') as OrderKey;
export const isDescending = (order: Order): boolean => order.startsWith('-');

/** A first press sorts up, a second down, a third gives the catalog's order back. */
export function nextOrder(key: OrderKey, order: Order | undefined): Order | undefined {
  if (order === undefined || keyOf(order) !== key) return key;
  return isDescending(order) ? undefined : `-${key}`;
}

/** The models by the order; those without a value last, equal ones as they were. */
export function orderedModels(
  models: readonly CatalogModel[],
  order: Order | undefined,
): readonly CatalogModel[] {
  if (order === undefined) return models;
  const valueOf = values[keyOf(order)];
  const sign = isDescending(order) ? -1 : 1;
  return [...models].sort((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === 'string' ? a.localeCompare(String(b), 'en') : a - Number(b));
  });
}
