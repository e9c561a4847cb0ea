import { type CatalogEndpoint, type CatalogModel } from '../../api/use-catalog';
import { nextOrder, orderedEndpoints, orderedModels } from './order';

const model = (name: string, tokens: number, input: number | null) =>
  ({
    display_name: name,
    context_window: tokens,
    max_output_tokens: 1,
    endpoints: input === null ? [] : [{ prices: { input, output: 1 } }],
  }) as CatalogModel;

const models = [model('B', 10, 5), model('a', 30, null), model('c', 10, 2)];
const names = (...[order]: Parameters<typeof orderedModels> extends [unknown, infer O] ? [O] : never) =>
  orderedModels(models, order).map(({ display_name: name }) => name);

describe('the order of models', () => {
  it('is that of the catalog until a header is pressed', () =>
    expect(names(undefined)).toEqual(['B', 'a', 'c']));

  it('keeps equal ones as they were', () => {
    expect(names('context')).toEqual(['B', 'c', 'a']);
    expect(names('-context')).toEqual(['a', 'B', 'c']);
  });

  it('has those without a price last, either way', () => {
    expect(names('input_price')).toEqual(['c', 'B', 'a']);
    expect(names('-input_price')).toEqual(['B', 'c', 'a']);
  });

  it('goes up, down and back by presses', () => {
    expect(nextOrder('model', undefined)).toBe('model');
    expect(nextOrder('model', 'model')).toBe('-model');
    expect(nextOrder('model', '-model')).toBeUndefined();
    expect(nextOrder('model', '-context')).toBe('model');
  });
});

describe('the order of endpoints', () => {
  const endpoint = (provider: string, latency: number | null | undefined) =>
    ({ provider, region: 'eu', latency, prices: { input: 1, output: 1 } }) as CatalogEndpoint;

  it('has those that were not measured last, either way', () => {
    const all = [
      endpoint('none', null),
      endpoint('slow', 90),
      endpoint('untold', undefined),
      endpoint('fast', 9),
    ];
    const providers = (order: 'latency' | '-latency') =>
      orderedEndpoints(all, order).map(({ provider }) => provider);
    expect(providers('latency')).toEqual(['fast', 'slow', 'none', 'untold']);
    expect(providers('-latency')).toEqual(['slow', 'fast', 'none', 'untold']);
  });
});
