import { type Catalog, type ModelEndpoint } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import fc from 'fast-check';
import { type Rest } from '../credentials/credential-health';
import { type OrderedCredential } from '../credentials/credential-order';
import { type Policy } from '../policy/policy';
import { isAvailable } from './availability';
import { constraints } from './constraints';
import { planRoute } from './plan-route';
import { type CredentialPools, type RoutingCall, type RoutingFacts } from './routing-facts';
import {
  anthropic,
  arbitraryRouting,
  callOf,
  endpoint,
  factsOf,
  keyed,
  modelId,
  modelOf,
  open,
  type Circumstances,
} from './testing/arbitrary-routing';

const attemptsOf = (
  endpoints: readonly ModelEndpoint[],
  circumstances?: Circumstances,
  call?: Partial<RoutingCall>,
) => planRoute(callOf(call), factsOf(endpoints, circumstances)).attempts;
const plan = (...planned: Parameters<typeof attemptsOf>): string[] =>
  attemptsOf(...planned).map(({ endpoint: { id } }) => id);

const refusal = (reason: string, details: object = {}) =>
  expect.objectContaining({ reason, ...details }) as Error;
const noEligibleRoute = (field: string) =>
  refusal('noEligibleRoute', { message: expect.stringContaining(`\`${field}\``) as string });

describe('a plan', () => {
  it('tries the cheapest first and, at the same price, in the order of the catalog', () => {
    const endpoints = [endpoint('a', { price: 3 }), endpoint('b'), endpoint('c', { price: 3 })];
    expect(plan(endpoints)).toEqual(['b', 'a', 'c']);
  });

  it('sorts by latency where the policy says so, after endpoints never measured', () => {
    const endpoints = ['a', 'b', 'c', 'd'].map((id) => endpoint(id));
    const figures = { a: { latencyMs: 300 }, b: { latencyMs: 100 }, d: { latencyMs: 200 } };
    expect(plan(endpoints, { policy: { sort: 'latency' }, figures })).toEqual(['c', 'b', 'd', 'a']);
  });

  it('sorts by throughput where the policy says so, after endpoints never measured', () => {
    const endpoints = ['a', 'b', 'c'].map((id) => endpoint(id));
    const figures = { a: { tokensPerSecond: 20 }, b: { tokensPerSecond: 90 } };
    expect(plan(endpoints, { policy: { sort: 'throughput' }, figures })).toEqual(['c', 'b', 'a']);
  });

  it('decides by the price between endpoints that are equally fast', () => {
    const endpoints = [endpoint('a', { price: 2 }), endpoint('b', { price: 1 })];
    for (const sort of ['latency', 'throughput'] as const) {
      expect(plan(endpoints, { policy: { sort } })).toEqual(['b', 'a']);
    }
  });

  it('has no more endpoints than the policy allows attempts, and the number of attempts', () => {
    const endpoints = ['a', 'b', 'c'].map((id) => endpoint(id));
    const planned = (maxAttempts: number | null, own: string[] = []) => {
      const { attempts, attemptsMax } = planRoute(
        callOf(),
        factsOf(endpoints, { policy: { maxAttempts }, own }),
      );
      return [attempts.map(({ endpoint: { id } }) => id).join(''), attemptsMax];
    };
    expect(planned(2)).toEqual(['ab', 2]);
    expect(planned(9)).toEqual(['abc', 9]);
    expect(planned(null)).toEqual(['abc', 3]);
    expect(planned(2, ['open'])).toEqual(['abab', 2]);
  });

  it('leaves out open circuits and is overloaded when nothing else is left', () => {
    const endpoints = [endpoint('a'), endpoint('b')];
    expect(plan(endpoints, { openCircuits: ['a'] })).toEqual(['b']);
    expect(() => plan(endpoints, { openCircuits: ['a', 'b'] })).toThrow(refusal('overloaded'));
  });
});

describe('a model', () => {
  it('gets the same error when it does not exist, has no credential, or is not allowed', () => {
    const message = 'The model `acme/small` does not exist or is not available to your organization.';
    const notFound = refusal('notFound', { message, param: 'model' });
    expect(() => plan([])).toThrow(notFound);
    expect(() => plan([endpoint('a', { provider: keyed })])).toThrow(notFound);
    expect(() => plan([endpoint('a')], { policy: { deniedModels: new Set([modelId]) } })).toThrow(notFound);
    expect(() => plan([endpoint('a')], { policy: { allowedModels: new Set() } })).toThrow(notFound);
    const elsewhere = {
      ...factsOf([]),
      catalog: {
        providers: new Map(),
        models: new Map(),
        aliases: new Map(),
        extraParameters: new Set<string>(),
        fineTuning: [],
      },
    };
    expect(() => planRoute(callOf(), elsewhere)).toThrow(notFound);
  });

  it('is served on both routes, of equal endpoints first at the one without translation', () => {
    const endpoints = [endpoint('a', { provider: anthropic }), endpoint('b')];
    expect(plan(endpoints)).toEqual(['b', 'a']);
    expect(plan(endpoints, {}, { operation: 'messages' })).toEqual(['a', 'b']);
  });

  it('is refused on a route that its catalog entry leaves out, and the refusal names the other', () => {
    const endpoints = [endpoint('a', { operations: new Set(['messages']) })];
    expect(plan(endpoints, {}, { operation: 'messages' })).toEqual(['a']);
    expect(() => plan(endpoints)).toThrow(
      refusal('operationUnsupported', {
        message: 'The model `acme/small` is not served on POST /v1/chat/completions. Use POST /v1/messages.',
      }),
    );
  });

  it('is not reported as served on a route that the policy rules out', () => {
    const endpoints = [
      endpoint('a', { operations: new Set(['messages']) }),
      endpoint('b', { provider: { ...open, name: 'other' }, operations: new Set(['embeddings']) }),
    ];
    expect(() => plan(endpoints, { policy: { deniedProviders: new Set(['other']) } })).toThrow(
      refusal('operationUnsupported', {
        message: expect.stringMatching(/Use POST \/v1\/messages\.$/) as string,
      }),
    );
  });

  it('has no eligible route where the policy rules out what serves the route, and not what serves the other', () => {
    const endpoints = [
      endpoint('a', { provider: { ...open, name: 'other' }, operations: new Set(['messages']) }),
      endpoint('b'),
    ];
    const circumstances = { policy: { deniedProviders: new Set([open.name]) } };
    expect(plan(endpoints, circumstances, { operation: 'messages' })).toEqual(['a']);
    expect(() => plan(endpoints, circumstances)).toThrow(noEligibleRoute('denied_providers'));
  });

  it('is not reported as served on a route that only an unavailable endpoint serves', () => {
    const endpoints = [
      endpoint('a', { operations: new Set(['messages']) }),
      endpoint('b', { provider: keyed }),
    ];
    expect(() => plan(endpoints)).toThrow(
      refusal('operationUnsupported', {
        message: 'The model `acme/small` is not served on POST /v1/chat/completions. Use POST /v1/messages.',
      }),
    );
  });
});

describe('the policy', () => {
  const endpoints = [
    endpoint('a', { region: 'eu', dataRetention: 'retained' }),
    endpoint('b', { region: 'us', provider: { ...open, name: 'other' } }),
  ];

  it.each<[string, Partial<Policy>, string[]]>([
    ['allows a provider', { allowedProviders: new Set(['other']) }, ['b']],
    ['denies a provider', { deniedProviders: new Set(['other']) }, ['a']],
    ['allows a region', { allowedRegions: new Set(['eu']) }, ['a']],
    ['denies a region', { deniedRegions: new Set(['eu']) }, ['b']],
    ['requires zero retention', { requireZeroRetention: true }, ['b']],
    ['allows a model', { allowedModels: new Set([modelId]) }, ['a', 'b']],
    ['denies another model', { deniedModels: new Set(['acme/large']) }, ['a', 'b']],
  ])('%s', (_, policy, ids) => {
    expect(plan(endpoints, { policy })).toEqual(ids);
  });

  it.each<[string, Partial<Policy>]>([
    ['allowed_providers', { allowedProviders: new Set() }],
    ['denied_providers', { deniedProviders: new Set(['open', 'other']) }],
    ['allowed_regions', { allowedRegions: new Set(['mars']) }],
    ['denied_regions', { deniedRegions: new Set(['eu', 'us']) }],
    ['require_zero_retention', { requireZeroRetention: true, deniedProviders: new Set(['other']) }],
  ])('that leaves nothing names its %s', (field, policy) => {
    expect(() => plan(endpoints, { policy })).toThrow(noEligibleRoute(field));
  });

  it('denies an entry of both lists', () => {
    const policy = { allowedProviders: new Set(['open', 'other']), deniedProviders: new Set(['open']) };
    expect(plan(endpoints, { policy })).toEqual(['b']);
  });

  it('decides which models are listed, whatever their circuits and routes', () => {
    const listed = (circumstances: Circumstances) =>
      isAvailable(modelOf(endpoints), factsOf(endpoints, circumstances));
    expect(listed({ openCircuits: ['a', 'b'] })).toBe(true);
    expect(listed({ policy: { deniedModels: new Set([modelId]) } })).toBe(false);
    expect(listed({ policy: { allowedRegions: new Set() } })).toBe(false);
  });
});

describe('the credentials of a plan', () => {
  const onKeyed = [endpoint('a', { provider: keyed })];
  const sources = (endpoints: readonly ModelEndpoint[], circumstances: Circumstances) =>
    attemptsOf(endpoints, circumstances).map(({ endpoint: { id }, credential }) => `${id}:${credential}`);

  it.each<[Policy['credentialMode'], string[], string[]]>([
    ['own_first', ['a:own', 'a:platform'], ['b:own', 'b:none']],
    ['own_only', ['a:own'], ['b:own']],
    ['platform_only', ['a:platform'], ['b:none']],
  ])('under %s', (credentialMode, whereOneIsTaken, whereNoneIs) => {
    const circumstances = { policy: { credentialMode }, platform: ['keyed'], own: ['keyed', 'open'] };
    expect(sources(onKeyed, circumstances)).toEqual(whereOneIsTaken);
    expect(sources([endpoint('b')], circumstances)).toEqual(whereNoneIs);
  });

  it('are the only available one', () => {
    expect(sources(onKeyed, { own: ['keyed'] })).toEqual(['a:own']);
    expect(sources(onKeyed, { platform: ['keyed'] })).toEqual(['a:platform']);
    expect(sources([endpoint('b')], { policy: { credentialMode: 'own_only' } })).toEqual(['b:none']);
  });

  it('put the organization’s own first, however cheap the others are', () => {
    const endpoints = [endpoint('b'), endpoint('a', { provider: keyed, price: 9 })];
    expect(sources(endpoints, { own: ['keyed'], platform: ['keyed'] })).toEqual([
      'a:own',
      'b:none',
      'a:platform',
    ]);
  });

  it('are named in the error when the mode excludes all of them', () => {
    const refused = (credentialMode: Policy['credentialMode'], circumstances: Circumstances) => () =>
      plan(onKeyed, { ...circumstances, policy: { credentialMode } });
    expect(refused('own_only', { platform: ['keyed'] })).toThrow(noEligibleRoute('credential_mode'));
    expect(refused('platform_only', { own: ['keyed'] })).toThrow(noEligibleRoute('credential_mode'));
  });
});

describe('the parameters of a call', () => {
  const whole = endpoint('whole', { price: 9 });
  const seedless = endpoint('seedless', { price: 1, parameters: ['top_p', 'stop'] });
  const used = { parameters: ['seed', 'top_p'] };

  it('are all sent where the endpoint supports them, and that endpoint is tried first', () => {
    expect(attemptsOf([seedless, whole], {}, used)).toMatchObject([
      { endpoint: { id: 'whole' }, losses: [] },
      { endpoint: { id: 'seedless' }, losses: [{ param: 'seed' }], omit: ['seed'] },
    ]);
  });

  it('take precedence over the owner of the credential', () => {
    const ours = endpoint('ours', { provider: { ...open, name: 'ours' }, parameters: ['top_p'] });
    expect(plan([ours, whole], { own: ['ours'] }, used)).toEqual(['whole', 'ours', 'ours']);
  });

  it('do not change the order of endpoints with equally many unsupported ones', () => {
    expect(plan([whole, seedless], {}, { parameters: ['top_p', 'stop_sequences'] })).toEqual([
      'seedless',
      'whole',
    ]);
    const dearer = endpoint('dearer', { price: 2, parameters: ['seed'] });
    expect(plan([dearer, seedless], {}, used)).toEqual(['seedless', 'dearer']);
  });

  it('keep an endpoint out of a strict plan', () => {
    expect(plan([seedless, whole], {}, { ...used, compatMode: 'strict' })).toEqual(['whole']);
  });

  it('refuse a strict call without a suitable endpoint, naming the first that no endpoint supports', () => {
    const strict = { parameters: ['top_p', 'seed'], compatMode: 'strict' } as const;
    expect(() => plan([seedless], {}, strict)).toThrow(refusal('capabilityUnsupported', { param: 'seed' }));
    const topless = endpoint('topless', { parameters: ['seed'] });
    expect(() => plan([seedless, topless], {}, strict)).toThrow(
      refusal('capabilityUnsupported', { message: expect.stringContaining('together') as string }),
    );
  });

  it('are checked before the circuits', () => {
    const strict = { ...used, compatMode: 'strict' } as const;
    expect(() => plan([seedless], { openCircuits: ['seedless'] }, strict)).toThrow(
      refusal('capabilityUnsupported'),
    );
    expect(() => plan([whole], { openCircuits: ['whole'] }, strict)).toThrow(refusal('overloaded'));
  });
});

describe('whatever the circumstances', () => {
  it('a plan holds no endpoint that a constraint excludes, no attempt twice, and is sorted', () => {
    fc.assert(
      fc.property(arbitraryRouting, ({ endpoints, circumstances, call }) => {
        const facts = factsOf(endpoints, circumstances);
        const attempts = planOrNull(call, facts);
        if (attempts === null) return;
        for (const { endpoint: planned } of attempts) {
          expect(constraints.every(({ admits }) => admits(planned, call, facts))).toBe(true);
        }
        const identities = attempts.map(({ endpoint: { id }, credential }) => `${id}:${credential}`);
        expect(new Set(identities).size).toBe(identities.length);
        const ids = new Set(attempts.map(({ endpoint: { id } }) => id));
        expect(ids.size).toBeLessThanOrEqual(circumstances.policy.maxAttempts ?? Infinity);
        const lacking = attempts.map(({ losses }) => losses.length);
        expect(lacking).toEqual(lacking.toSorted((a, b) => a - b));
        if (call.compatMode === 'strict') expect(Math.max(...lacking)).toBe(0);
      }),
    );
  });

  it('a refusal is that of the first constraint that leaves no endpoint, and there is none while one is left', () => {
    fc.assert(
      fc.property(arbitraryRouting, ({ endpoints, circumstances, call }) => {
        const facts = factsOf(endpoints, circumstances);
        const left = (count: number) =>
          endpoints.filter((candidate) =>
            constraints.slice(0, count).every(({ admits }) => admits(candidate, call, facts)),
          );
        const first = constraints.findIndex((_, at) => left(at + 1).length === 0);
        if (first === -1) expect(planOrNull(call, facts)).not.toBeNull();
        else
          expect(() => planRoute(call, facts)).toThrow(
            constraints[first]!.refusal(call, left(first), facts).message,
          );
      }),
    );
  });

  it('equal endpoints keep the order of the catalog', () => {
    fc.assert(
      fc.property(arbitraryRouting, ({ endpoints, circumstances, call }) => {
        const alike = endpoints.map(({ id }) => endpoint(id));
        const facts = factsOf(alike, { ...circumstances, figures: {}, own: [] });
        const ids = planOrNull(call, facts)?.map(({ endpoint: { id } }) => id) ?? [];
        expect(ids).toEqual(ids.toSorted());
      }),
    );
  });

  function planOrNull(call: RoutingCall, facts: RoutingFacts & { catalog: Catalog }) {
    try {
      return planRoute(call, facts).attempts;
    } catch (error) {
      expect(error).toBeInstanceOf(GatewayError);
      expect(error).not.toMatchObject({ reason: 'internal' });
      return null;
    }
  }
});

describe('a pool of credentials', () => {
  const rest = (kind: Rest['kind'], endsMs: number): Rest => ({
    kind,
    sinceMs: 0,
    untilMs: kind === 'refused' ? null : endsMs,
    trialAtMs: endsMs,
    count: 1,
  });
  const credential = (key: string): OrderedCredential => ({ key, weight: 100 });
  /** By endpoint: the own credentials that are tried, and those that rest. */
  type Pools = Readonly<
    Record<string, { tried?: readonly string[]; resting?: Readonly<Record<string, Rest>> }>
  >;
  const planned = (pools: Pools, circumstances: Circumstances = {}) => {
    const facts = factsOf(
      Object.keys(pools).map((id) => endpoint(id, { provider: keyed })),
      {
        own: ['keyed'],
        ...circumstances,
      },
    );
    const credentials: CredentialPools = {
      choose: ({ id }, source) => {
        if (source === 'platform') return { tried: [credential('platform')], resting: [] };
        const { tried = [], resting = {} } = pools[id] ?? {};
        return {
          tried: tried.map(credential),
          resting: Object.entries(resting).map(([of, one]) => ({ credential: credential(of), rest: one })),
        };
      },
      now: () => 0,
    };
    return planRoute(callOf(), { ...facts, credentials }).attempts.map(
      ({ endpoint: { id }, pooled, isForced }) => [id, pooled?.key, isForced],
    );
  };

  it('is planned in its order, at the endpoint before the next one and before the platform’s', () => {
    const pools = { a: { tried: ['two', 'one'] }, b: { tried: ['one'] } };
    expect(planned(pools, { platform: ['keyed'] })).toEqual([
      ['a', 'two', undefined],
      ['a', 'one', undefined],
      ['b', 'one', undefined],
      ['a', 'platform', undefined],
      ['b', 'platform', undefined],
    ]);
  });

  it('leaves out what rests, and an endpoint where all do', () => {
    const pools = {
      a: { resting: { one: rest('rate_limit', 9) } },
      b: { tried: ['two'], resting: { one: rest('refused', 9) } },
    };
    expect(planned(pools)).toEqual([['b', 'two', undefined]]);
  });

  it('is refused with the shortest wait where one cools and nothing else is left', () => {
    const pools = {
      a: { resting: { one: rest('rate_limit', 9_000), two: rest('refused', 1) } },
      b: { resting: { one: rest('rate_limit', 4_000) } },
    };
    expect(() => planned(pools)).toThrow(
      expect.objectContaining({ reason: 'providerRateLimit', retryAfterMs: 4_000 }) as Error,
    );
  });

  it('is a failure of the provider where what cools is forbidden', () => {
    const pools = { a: { resting: { one: rest('forbidden', 9), two: rest('refused', 9) } } };
    expect(() => planned(pools)).toThrow(expect.objectContaining({ reason: 'providerError' }) as Error);
  });

  it('tries the one that is due first where all are refused', () => {
    const pools = {
      a: { resting: { one: rest('refused', 9), two: rest('refused', 5) } },
      b: { resting: { one: rest('refused', 9) } },
    };
    expect(planned(pools)).toEqual([['a', 'two', true]]);
  });

  it('is refused as ever where no endpoint is eligible', () => {
    expect(() => planned({ a: { tried: ['one'] } }, { openCircuits: ['a'] })).toThrow(
      expect.objectContaining({ reason: 'overloaded' }) as Error,
    );
  });
});
