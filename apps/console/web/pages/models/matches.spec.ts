import { type CatalogEndpoint, type CatalogModel } from '../../api/use-catalog';
import { cheapestEndpoint, matchingModels } from './matches';

const endpoint = (provider: string, input: number, more: Partial<CatalogEndpoint> = {}): CatalogEndpoint => ({
  provider,
  region: 'eu',
  data_retention: 'zero',
  operations: ['chat_completions'],
  parameters: null,
  extra_parameters: [],
  takes: {},
  takes_one_of: [],
  prices: { input, output: input, cached_input: 0, cache_write: 0, long_prompt: null },
  betas: [],
  ...more,
});
const model = (id: string, more: Partial<CatalogModel> = {}): CatalogModel => ({
  id,
  aliases: [],
  display_name: id,
  context_window: 100,
  max_output_tokens: 10,
  endpoints: [endpoint('acme', 1)],
  ...more,
});
const ids = (models: readonly CatalogModel[]) => models.map(({ id }) => id);

describe('the models that a filter leaves', () => {
  it('have all words of the search in their id, name or aliases, in any case', () => {
    const models = [model('acme/small', { aliases: ['Fast'] }), model('acme/large')];
    expect(ids(matchingModels(models, { q: 'ACME fast' }))).toEqual(['acme/small']);
    expect(ids(matchingModels(models, { q: ' ' }))).toEqual(['acme/small', 'acme/large']);
  });

  it('have one endpoint with the provider and the route, not one of each', () => {
    const split = model('a/split', {
      endpoints: [endpoint('acme', 1), endpoint('other', 1, { operations: ['messages'] })],
    });
    expect(matchingModels([split], { provider: 'acme', route: 'messages' })).toEqual([]);
    expect(matchingModels([split], { provider: 'other', route: 'messages' })).toEqual([split]);
  });

  it('have at least the context asked for, and can be called as asked', () => {
    const models = [
      model('a/short', { context_window: 99, eligible: true }),
      model('a/long', { eligible: true }),
      model('a/shut', { eligible: false }),
    ];
    expect(ids(matchingModels(models, { context: 100, eligible: true }))).toEqual(['a/long']);
    expect(ids(matchingModels(models, { eligible: false }))).toEqual(['a/shut']);
  });
});

describe('the endpoint whose price is shown', () => {
  it('is the cheapest that calls can use', () => {
    const endpoints = [endpoint('cheap', 1, { eligible: false }), endpoint('fair', 2), endpoint('dear', 3)];
    expect(cheapestEndpoint(model('a/b', { endpoints }))?.provider).toBe('fair');
  });

  it('is the cheapest of all where calls can use none, and none of a model without endpoints', () => {
    const endpoints = [2, 1].map((price) => endpoint(String(price), price, { eligible: false }));
    expect(cheapestEndpoint(model('a/b', { endpoints }))?.provider).toBe('1');
    expect(cheapestEndpoint(model('a/b', { endpoints: [] }))).toBeNull();
  });
});
