import { parseCatalog } from '@svc/catalog';
import { NO_ANTHROPIC_HEADERS } from '@svc/protocol';
import { type Policy } from '../policy/policy';
import { DEFAULT_POLICY } from '../policy/policy-document';
import { UNMEASURED } from './endpoint-figures';
import { planRoute } from './plan-route';
import { plainCall } from './routing-facts';

const endpoint = { region: 'eu', data_retention: 'zero', prices: { input: 1, output: 1 } };
const advised = { 'advisor-tool-2026-03-01': { prices: { input: 9, output: 9 } } };
const catalog = parseCatalog(
  JSON.stringify({
    providers: [
      { name: 'native', protocol: 'anthropic', base_url: 'http://127.0.0.1:1' },
      { name: 'translated', protocol: 'openai', base_url: 'http://127.0.0.1:1' },
    ],
    models: ['acme/small', 'acme/large', 'acme/other'].map((id) => ({
      ...{ id, display_name: id, context_window: 1_000, max_output_tokens: 100 },
    })),
    endpoints: [
      { ...endpoint, model: 'acme/small', provider: 'native', upstream_model: 'small-1', betas: advised },
      { ...endpoint, model: 'acme/large', provider: 'native', upstream_model: 'large-1' },
      { ...endpoint, model: 'acme/other', provider: 'translated', upstream_model: 'large-2' },
    ],
  }),
  { file: 'catalog.yaml', env: {} },
);

const plan = (policy: Partial<Policy>, models: readonly string[], modelId = 'acme/small') =>
  planRoute(
    {
      ...plainCall(modelId, 'messages'),
      anthropic: { ...NO_ANTHROPIC_HEADERS, betas: ['advisor-tool-2026-03-01'] },
      pricedFeatures: [{ name: 'advisor', models }],
    },
    {
      catalog,
      policy: { ...DEFAULT_POLICY, ...policy },
      hasPlatformCredential: () => false,
      hasOwnCredential: () => false,
      openCircuits: new Set(),
      figuresOf: () => UNMEASURED,
    },
  ).attempts.map(({ endpoint: { upstreamModel } }) => upstreamModel);
const notFound = expect.objectContaining({
  reason: 'notFound',
  param: 'tools',
  message: expect.stringContaining('does not exist or is not available') as string,
}) as Error;
const deniesLarge = { deniedModels: new Set(['acme/large']) };

describe('an advisor', () => {
  it('may be any model where the policy rules out none', () => {
    for (const name of ['large-1', 'small-1', 'large-9']) expect(plan({}, [name])).toEqual(['small-1']);
  });

  it('that the policy rules out is no way to that model', () => {
    expect(() => plan(deniesLarge, ['large-1'])).toThrow(notFound);
    expect(() => plan(deniesLarge, ['small-1', 'large-1'])).toThrow(notFound);
    expect(() => plan({ allowedModels: new Set(['acme/small']) }, ['large-1'])).toThrow(notFound);
    expect(plan(deniesLarge, ['small-1'])).toEqual(['small-1']);
    expect(plan({ allowedModels: new Set(['acme/small', 'acme/large']) }, ['large-1'])).toEqual(['small-1']);
  });

  it('under a name that the catalog does not list at the provider could be a model that the policy rules out', () => {
    for (const name of ['large-2', 'large-1-20260301', '']) {
      expect(() => plan(deniesLarge, [name])).toThrow(notFound);
    }
  });

  it('is not sent where the call is translated, and so rules nothing out there', () => {
    expect(plan(deniesLarge, ['large-1'], 'acme/other')).toEqual(['large-2']);
  });
});
