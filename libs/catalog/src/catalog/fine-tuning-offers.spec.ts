import { CatalogError } from './catalog-source';
import { parseCatalog, parseCatalogFiles } from './parse-catalog';

const offer = {
  model: 'acme/small',
  provider: 'acme',
  upstream_model: 'small-1',
  region: 'eu',
  data_retention: 'zero',
  price_per_trained_token: 37.5,
  max_trained_tokens: 1_000,
};
const lists = {
  providers: [
    { name: 'acme', protocol: 'openai', base_url: 'http://127.0.0.1:9' },
    { name: 'other', protocol: 'anthropic', base_url: 'http://127.0.0.1:9' },
  ],
  models: [{ id: 'acme/small', display_name: 'Small', context_window: 10, max_output_tokens: 5 }],
  endpoints: [],
};
const read = (fineTuning: unknown, models: readonly object[] = lists.models) =>
  parseCatalog(JSON.stringify({ ...lists, models, fine_tuning: fineTuning }), { file: 'c.yaml', env: {} });
function problemsOf(...given: Parameters<typeof read>): readonly string[] {
  try {
    read(...given);
  } catch (error) {
    if (error instanceof CatalogError) return error.problems;
    throw error;
  }
  return [];
}

describe('the offers of fine-tuning', () => {
  it('are read with every field', () => {
    const hardware = [{ id: 'h100-1', price_per_hour: 4_000_000_000, start_timeout_s: 60 }];
    const inference = { input: 300, output: 1_200 };
    const { fineTuning } = read([{ ...offer, epochs: { default: 2, max: 4 }, inference, hardware }]);
    expect(fineTuning).toEqual([
      {
        modelId: 'acme/small',
        provider: expect.objectContaining({ name: 'acme' }) as object,
        upstreamModel: 'small-1',
        region: 'eu',
        dataRetention: 'zero',
        pricePerTrainedToken: 37_500_000n,
        maxTrainedTokens: 1_000,
        epochs: { default: 2, max: 4 },
        inference: expect.objectContaining({ input: 300_000_000n, cachedInput: 300_000_000n }) as object,
        hardware: [{ id: 'h100-1', pricePerHour: 4_000_000_000n, startTimeoutMs: 60_000 }],
      },
    ]);
  });

  it('may be left out, and so may what is served of them', () => {
    expect(read(undefined).fineTuning).toEqual([]);
    expect(read([offer]).fineTuning).toMatchObject([
      { epochs: { default: 3, max: 10 }, inference: null, hardware: [] },
    ]);
  });

  it('of a later file stand beside those of the first', () => {
    const files = [
      { file: 'a.yaml', text: JSON.stringify({ ...lists, fine_tuning: [offer] }) },
      { file: 'b.yaml', text: JSON.stringify({ fine_tuning: [{ ...offer, region: 'us' }] }) },
    ];
    expect(parseCatalogFiles(files, {}).fineTuning.map(({ region }) => region)).toEqual(['eu', 'us']);
  });

  it.each([
    ['a list of another kind', {}, 'must be a list'],
    ['an unknown field', [{ ...offer, prices: {} }], 'prices: unknown field'],
    ['a missing price', [{ ...offer, price_per_trained_token: undefined }], 'is missing'],
    ['a price below zero', [{ ...offer, price_per_trained_token: -1 }], 'must be at least 0'],
    ['more epochs than its most', [{ ...offer, epochs: { default: 5, max: 4 } }], 'default of at most max'],
    ['the same twice', [offer, offer], 'is listed twice'],
    ['an unknown model', [{ ...offer, model: 'acme/gone' }], 'acme/gone is not listed'],
    ['an unknown provider', [{ ...offer, provider: 'gone' }], 'gone is not listed'],
    ['a provider of another protocol', [{ ...offer, provider: 'other' }], 'must speak openai'],
    [
      'hardware that is there twice',
      [{ ...offer, hardware: ['a', 'a'].map((id) => ({ id, price_per_hour: 1 })) }],
      'a is listed twice',
    ],
  ])('are refused with %s', (_, fineTuning, problem) => {
    expect(problemsOf(fineTuning)).toEqual([expect.stringContaining(problem) as string]);
  });

  it('leave the names of tuned models to organizations', () => {
    const taken = { ...lists.models[0], id: 'ft-abcdefgh/small' };
    expect(problemsOf([], [taken])).toEqual([expect.stringContaining('must not look like a tuned model')]);
  });
});
