import { nanosPerToken, parseCatalog } from '@svc/catalog';
import { NO_ANTHROPIC_HEADERS } from '@svc/protocol';
import { DEFAULT_POLICY } from '../policy/policy-document';
import { UNMEASURED } from './endpoint-figures';
import { planRoute } from './plan-route';
import { plainCall, type RoutingCall } from './routing-facts';

const LONG = 'context-1m-2025-08-07';
const FAST = 'fast-mode-2026-02-01';
const flat = (price: number) => ({ input: price, output: price });
const base = { model: 'acme/small', upstream_model: 'small-1', region: 'eu', data_retention: 'zero' };
const unpriced = { ...base, provider: 'unpriced', prices: flat(1) };
const priced = {
  ...base,
  provider: 'priced',
  prices: flat(2),
  betas: {
    [LONG]: { context_window: 5_000, prices: { ...flat(3), long_prompt: { above: 200, ...flat(6) } } },
    [FAST]: { prices: flat(5) },
    'own-beta': { prices: flat(9) },
  },
};
const translated = { ...base, provider: 'translated', prices: flat(3) };

/** The plan of a call over these endpoints. */
function planOf(
  endpoints: readonly object[],
  call: Partial<RoutingCall> & { readonly betas?: readonly string[] },
  contextWindow = 1000,
) {
  const { betas = [], ...changes } = call;
  const providers = ['unpriced', 'priced', 'translated'].map((name) => ({
    name,
    protocol: name === 'translated' ? 'openai' : 'anthropic',
    base_url: 'http://127.0.0.1:1',
  }));
  const models = [
    { id: 'acme/small', display_name: 'Small', context_window: contextWindow, max_output_tokens: 100 },
  ];
  const catalog = parseCatalog(JSON.stringify({ providers, models, endpoints }), {
    file: 'catalog.yaml',
    env: {},
  });
  const { model, attempts } = planRoute(
    {
      ...plainCall('acme/small', 'messages'),
      anthropic: { ...NO_ANTHROPIC_HEADERS, betas },
      ...changes,
    },
    {
      catalog,
      policy: DEFAULT_POLICY,
      hasPlatformCredential: () => false,
      hasOwnCredential: () => false,
      openCircuits: new Set(),
      figuresOf: () => UNMEASURED,
    },
  );
  const [{ endpoint }] = attempts;
  return {
    providers: attempts.map((attempt) => attempt.endpoint.provider.name),
    price: nanosPerToken(endpoint.prices.output),
    longPrompt: endpoint.prices.longPrompt,
    contextWindow: model.contextWindow,
  };
}
const refusedFor = (param: string) =>
  expect.objectContaining({ reason: 'capabilityUnsupported', param }) as Error;

describe('a beta that changes the price', () => {
  it('is sent only to endpoints with a price for it, which then holds', () => {
    expect(planOf([unpriced, priced], { betas: [LONG] })).toMatchObject({
      providers: ['priced'],
      price: 3,
      longPrompt: { aboveTokens: 200, output: 6_000_000n },
      contextWindow: 5_000,
    });
  });

  it('is refused where no endpoint has a price', () => {
    expect(() => planOf([unpriced], { betas: [LONG] })).toThrow(refusedFor('anthropic-beta'));
    const fast = { pricedFeatures: [{ name: 'fast_mode' }] } as const;
    expect(() => planOf([unpriced], { ...fast, betas: [FAST] })).toThrow(refusedFor('anthropic-beta'));
    expect(() => planOf([priced], { pricedFeatures: [{ name: 'advisor', models: [] }] })).toThrow(
      refusedFor('tools'),
    );
    expect(() => planOf([priced], { betas: ['context-1m-2099-01-01'] })).toThrow(
      refusedFor('anthropic-beta'),
    );
    expect(() => planOf([unpriced], { pricedFeatures: [{ name: 'fast_mode' }] })).toThrow(
      refusedFor('speed'),
    );
  });

  it('is left out where the call is translated', () => {
    expect(planOf([translated], { betas: [LONG] })).toMatchObject({ price: 3, contextWindow: 1000 });
    expect(planOf([unpriced, translated], { betas: [LONG] }).providers).toEqual(['translated']);
  });

  it('of the long context needs no price where the model has that window of its own', () => {
    expect(planOf([unpriced], { betas: [LONG] }, 1_000_000)).toMatchObject({
      price: 1,
      contextWindow: 1_000_000,
    });
  });

  it('can be any that the catalog lists', () => {
    expect(planOf([priced], { betas: ['own-beta'] }).price).toBe(9);
  });

  it('counts together with others at the dearest rates', () => {
    expect(planOf([priced], { betas: [LONG, FAST], pricedFeatures: [{ name: 'fast_mode' }] })).toMatchObject({
      price: 5,
      longPrompt: { aboveTokens: 200, output: 6_000_000n },
    });
  });

  it('of the fast mode needs and has a price only where the body asks for that mode', () => {
    expect(planOf([unpriced], { betas: [FAST, 'advisor-tool-2026-03-01'] }).price).toBe(1);
    expect(planOf([priced], { betas: [FAST] }).price).toBe(2);
    expect(planOf([priced], { pricedFeatures: [{ name: 'fast_mode' }] }).price).toBe(5);
  });
});

it('other betas, and calls without one, have the endpoint’s own price', () => {
  const own = { price: 2, contextWindow: 1000, longPrompt: undefined };
  expect(planOf([priced], {})).toMatchObject(own);
  expect(planOf([priced], { betas: ['interleaved-thinking-2025-05-14'] })).toMatchObject(own);
  expect(planOf([priced], { betas: [LONG], operation: 'chat_completions' })).toMatchObject(own);
});
