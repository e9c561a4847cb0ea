import { type Operation } from '@svc/protocol';
import fc from 'fast-check';

import { type Catalog, type Model, type ModelEndpoint, type Provider } from '../catalog/catalog';
import { type PricePerToken } from '../pricing/prices';
import { planRoute } from './plan-route';

const modelId = 'acme/small';
const open: Provider = { name: 'open', protocol: 'openai', baseUrl: 'http://open', credentialEnv: null };
const keyed: Provider = { ...open, name: 'keyed', credentialEnv: 'KEYED_API_KEY' };
const anthropic: Provider = { ...open, name: 'anthropic', protocol: 'anthropic' };

const endpoint = (
  id: string,
  provider: Provider,
  nanosPerToken = 1,
  operations?: Operation[],
): ModelEndpoint => {
  const price = (BigInt(nanosPerToken) * 1_000_000n) as PricePerToken;
  return {
    id,
    modelId,
    provider,
    upstreamModel: id,
    region: 'eu',
    dataRetention: 'zero',
    operations: new Set(operations ?? ['chat_completions', 'messages']),
    parameters: null,
    prices: { input: price, output: price, cachedInput: price, cacheWrite: price },
    timeouts: { firstByteMs: 1, idleMs: 1 },
  };
};

function catalogOf(...endpoints: readonly ModelEndpoint[]): Catalog {
  const model: Model = {
    id: modelId,
    displayName: 'Small',
    contextWindow: 1000,
    maxOutputTokens: 100,
    createdAtSeconds: 0,
    endpoints,
  };
  return { providers: new Map(), models: new Map([[modelId, model]]) };
}

function plan(
  endpoints: readonly ModelEndpoint[],
  {
    operation = 'chat_completions',
    credentials = [],
    openCircuits = [] as readonly string[],
  }: {
    operation?: Operation;
    credentials?: readonly string[];
    openCircuits?: readonly string[];
  } = {},
) {
  return planRoute(
    { modelId, operation },
    {
      catalog: catalogOf(...endpoints),
      hasCredential: ({ name }) => credentials.includes(name),
      openCircuits: new Set(openCircuits),
    },
  ).attempts.map(({ id }) => id);
}

const reason = (name: string, message?: string) =>
  expect.objectContaining({ reason: name, ...(message === undefined ? {} : { message }) }) as Error;

describe('planRoute', () => {
  it('tries the cheapest first and, at one price, as the catalog lists them', () => {
    expect(plan([endpoint('a', open, 3), endpoint('b', open, 1), endpoint('c', open, 3)])).toEqual([
      'b',
      'a',
      'c',
    ]);
  });

  it('answers alike for a model that does not exist and for one without a credential', () => {
    const message = 'The model `acme/small` does not exist or is not available to your organization.';
    expect(() => plan([endpoint('a', keyed)])).toThrow(reason('notFound', message));
    expect(() => plan([])).toThrow(reason('notFound', message));
    const facts = { catalog: catalogOf(), hasCredential: () => true, openCircuits: new Set<string>() };
    expect(() => planRoute({ modelId: 'small', operation: 'messages' }, facts)).toThrow(
      expect.objectContaining({ reason: 'notFound', param: 'model' }) as Error,
    );
  });

  it('uses a provider that needs a credential once there is one', () => {
    expect(plan([endpoint('a', keyed)], { credentials: ['keyed'] })).toEqual(['a']);
  });

  it('calls an endpoint only on the route of its provider’s protocol, and names that route', () => {
    const endpoints = [endpoint('a', anthropic)];
    expect(plan(endpoints, { operation: 'messages' })).toEqual(['a']);
    expect(() => plan(endpoints)).toThrow(
      reason(
        'operationUnsupported',
        'The model `acme/small` is not served on POST /v1/chat/completions. Use POST /v1/messages.',
      ),
    );
  });

  it('does not name a route that only an unavailable endpoint serves', () => {
    const endpoints = [
      endpoint('a', open, 1, ['messages']),
      endpoint('b', { ...keyed, protocol: 'anthropic' }),
    ];
    expect(() => plan(endpoints)).toThrow(
      reason('operationUnsupported', 'The model `acme/small` is not served on POST /v1/chat/completions.'),
    );
  });

  it('leaves out open circuits and is overloaded when nothing else is left', () => {
    const endpoints = [endpoint('a', open), endpoint('b', open)];
    expect(plan(endpoints, { openCircuits: ['a'] })).toEqual(['b']);
    expect(() => plan(endpoints, { openCircuits: ['a', 'b'] })).toThrow(reason('overloaded'));
  });

  it('plans every eligible endpoint once and no other, in a stable order, or refuses on purpose', () => {
    const arbitraryEndpoints = fc
      .array(fc.tuple(fc.constantFrom(open, keyed, anthropic), fc.integer({ min: 0, max: 3 })), {
        maxLength: 8,
      })
      .map((list) => list.map(([provider, price], at) => endpoint(String(at), provider, price)));
    fc.assert(
      fc.property(
        arbitraryEndpoints,
        fc.subarray(['0', '1', '2', '3', '4', '5', '6', '7']),
        fc.constantFrom<Operation>('chat_completions', 'messages'),
        fc.boolean(),
        (endpoints, openCircuits, operation, withCredential) => {
          const protocol = operation === 'messages' ? 'anthropic' : 'openai';
          const eligible = endpoints.filter(
            ({ id, provider }) =>
              provider.protocol === protocol &&
              (provider !== keyed || withCredential) &&
              !openCircuits.includes(id),
          );
          const facts = { operation, openCircuits, credentials: withCredential ? ['keyed'] : [] };
          if (eligible.length === 0) {
            expect(() => plan(endpoints, facts)).toThrow(
              expect.objectContaining({ name: 'GatewayError' }) as Error,
            );
            return;
          }
          const expected = [0, 1, 2, 3].flatMap((price) =>
            eligible.filter(({ prices }) => prices.input === BigInt(price) * 1_000_000n).map(({ id }) => id),
          );
          expect(plan(endpoints, facts)).toEqual(expected);
        },
      ),
    );
  });
});
