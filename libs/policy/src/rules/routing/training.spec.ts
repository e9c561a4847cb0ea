import { parseCatalog } from '@svc/catalog';
import { GatewayError, nanos } from '@svc/kernel';
import { type Policy } from '../policy/policy';
import { DEFAULT_POLICY } from '../policy/policy-document';
import { UNMEASURED } from './endpoint-figures';
import { planRoute } from './plan-route';
import { planServing } from './plan-serving';
import { planTraining } from './plan-training';
import { plainCall, type OrganizationFacts } from './routing-facts';
import { catalogWith, tunedModelIn, type TunedModel } from './tuned-model';

const offer = {
  model: 'acme/small',
  provider: 'free',
  upstream_model: 'small-1',
  region: 'eu',
  data_retention: 'zero',
  price_per_trained_token: 10,
  max_trained_tokens: 1_000,
  inference: { input: 3, output: 4 },
};
const model = { display_name: 'Small', context_window: 100, max_output_tokens: 50 };
const catalog = parseCatalog(
  JSON.stringify({
    providers: [
      { name: 'free', protocol: 'openai', base_url: 'http://127.0.0.1:9' },
      { name: 'keyed', protocol: 'openai', base_url: 'http://127.0.0.1:9', credential_env: 'KEYED' },
    ],
    models: ['acme/small', 'acme/other'].map((id) => ({ ...model, id })),
    endpoints: ['acme/small', 'acme/other'].map((id) => ({
      model: id,
      provider: 'free',
      upstream_model: 'm',
      region: 'eu',
      data_retention: 'zero',
      operations: ['chat_completions', 'responses'],
      parameters: ['temperature'],
      prices: { input: 1, output: 2 },
    })),
    aliases: { little: 'acme/small' },
    fine_tuning: [
      { ...offer, provider: 'keyed', region: 'us', data_retention: 'retained', price_per_trained_token: 5 },
      offer,
    ],
  }),
  { file: 'catalog.yaml', env: {} },
);
const facts = (
  policy: Partial<Policy> = {},
  { platform = [] as string[], own = [] as string[] } = {},
): OrganizationFacts => ({
  policy: { ...DEFAULT_POLICY, ...policy },
  hasPlatformCredential: ({ name }) => platform.includes(name),
  hasOwnCredential: ({ name }) => own.includes(name),
});
function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
  return 'none';
}

describe('a job is planned', () => {
  const placed = (...given: Parameters<typeof facts>) => {
    const { offer: chosen, credential } = planTraining('acme/small', catalog, facts(...given));
    return [chosen.provider.name, credential];
  };

  it('where it is cheapest of what there is a credential for', () => {
    expect(placed()).toEqual(['free', 'none']);
    expect(placed({}, { platform: ['keyed'] })).toEqual(['keyed', 'platform']);
    expect(placed({}, { platform: ['keyed'], own: ['keyed'] })).toEqual(['keyed', 'own']);
  });

  it('under an alias too', () => {
    expect(planTraining('little', catalog, facts()).offer.modelId).toBe('acme/small');
  });

  it('within the policy', () => {
    const all = { platform: ['keyed'] };
    expect(placed({ deniedProviders: new Set(['keyed']) }, all)).toEqual(['free', 'none']);
    expect(placed({ deniedRegions: new Set(['us']) }, all)).toEqual(['free', 'none']);
    expect(placed({ requireZeroRetention: true }, all)).toEqual(['free', 'none']);
    const refusal = (policy: Partial<Policy>) => refusalOf(() => placed(policy, all));
    expect(refusal({ deniedModels: new Set(['acme/small']) })).toBe('not_found');
    expect(refusal({ allowedProviders: new Set() })).toBe('no_eligible_route');
    expect(refusal({ allowedRegions: new Set() })).toBe('no_eligible_route');
    expect(placed({ credentialMode: 'own_only' }, all)).toEqual(['free', 'none']);
  });

  it('of no model that is unknown, not trained, or out of reach', () => {
    const of = (id: string, policy: Partial<Policy> = {}) =>
      refusalOf(() => planTraining(id, catalog, facts(policy)));
    expect(of('acme/gone')).toBe('not_found');
    expect(of('acme/other')).toBe('operation_unsupported');
    expect(of('acme/other', { deniedModels: new Set(['acme/other']) })).toBe('not_found');
  });
});

describe('a tuned model', () => {
  const withHardware = {
    ...catalog,
    fineTuning: catalog.fineTuning.map((offer) => ({
      ...offer,
      hardware: [{ id: 'gpu', pricePerHour: nanos(1), startTimeoutMs: 1 }],
    })),
  };
  const tuned: TunedModel = {
    name: 'ft-abcdefgh/small-x-abcdef',
    baseModel: 'acme/small',
    provider: 'free',
    region: 'eu',
    upstreamModel: 'ft:small:1',
    credential: 'platform',
    credentialId: null,
    createdAt: new Date(1_000_500),
    servedAs: null,
  };
  const attemptsOf = (one: TunedModel, organization = facts()) => {
    const found = tunedModelIn(catalog, one);
    if (found === null) throw new Error('no model');
    return planRoute(plainCall(one.name, 'chat_completions'), {
      ...organization,
      catalog: catalogWith(catalog, found),
      openCircuits: new Set(),
      figuresOf: () => UNMEASURED,
    }).attempts;
  };

  it('is served where it was trained, at the prices of inference, like its base', () => {
    expect(attemptsOf(tuned)).toMatchObject([
      {
        credential: 'none',
        endpoint: {
          modelId: tuned.name,
          upstreamModel: 'ft:small:1',
          region: 'eu',
          parameters: new Set(['temperature']),
          prices: { input: 3_000_000n, output: 4_000_000n },
        },
      },
    ]);
    expect(tunedModelIn(catalog, tuned)).toMatchObject({
      contextWindow: 100,
      maxOutputTokens: 50,
      createdAtSeconds: 1_000,
    });
  });

  it('is served by its machines alone while they run, and its tokens cost nothing then', () => {
    const served = { ...tuned, servedAs: 'acme/ft-1' };
    const free = { input: 0n, cachedInput: 0n, cacheWrite: 0n, output: 0n };
    const endpoint = { modelId: tuned.name, upstreamModel: 'acme/ft-1', prices: free };
    const attempts = attemptsOf(served);
    expect(attempts).toHaveLength(1);
    expect(attempts).toMatchObject([{ endpoint }]);
  });

  it('gets machines that the catalog has for it, within the policy', () => {
    const plan = (hardware: string, one = tuned, organization = facts()) =>
      planServing(one, hardware, withHardware, organization).hardware.id;
    expect(plan('gpu')).toBe('gpu');
    expect(refusalOf(() => plan('other'))).toBe('invalid_request');
    expect(refusalOf(() => plan('gpu', { ...tuned, region: 'gone' }))).toBe('no_eligible_route');
    expect(refusalOf(() => plan('gpu', tuned, facts({ deniedModels: new Set([tuned.name]) })))).toBe(
      'not_found',
    );
    expect(refusalOf(() => plan('gpu', tuned, facts({ allowedRegions: new Set() })))).toBe(
      'no_eligible_route',
    );
    expect(refusalOf(() => planServing(tuned, 'gpu', catalog, facts()))).toBe('no_eligible_route');
  });

  it('is denied with its base, on calls and machines alike, and allowed by its own name alone', () => {
    const denied = facts({ deniedModels: new Set(['acme/small']) });
    expect(refusalOf(() => attemptsOf(tuned, denied))).toBe('not_found');
    expect(refusalOf(() => attemptsOf({ ...tuned, region: 'gone' }, denied))).toBe('not_found');
    expect(refusalOf(() => planServing(tuned, 'gpu', withHardware, denied))).toBe('not_found');
    expect(attemptsOf(tuned, facts({ allowedModels: new Set([tuned.name]) }))).toHaveLength(1);
    expect(refusalOf(() => attemptsOf(tuned, facts({ allowedModels: new Set(['acme/small']) })))).toBe(
      'not_found',
    );
  });

  it('is reached with the credential alone that it was trained with', () => {
    const keyed = {
      ...tuned,
      provider: 'keyed',
      region: 'us',
      credential: 'own',
      credentialId: 'cred_1',
    } as const;
    const both = facts({}, { platform: ['keyed'], own: ['keyed'] });
    expect(attemptsOf(keyed, both).map(({ credential }) => credential)).toEqual(['own']);
    expect(
      attemptsOf({ ...keyed, credential: 'platform' }, both).map(({ credential }) => credential),
    ).toEqual(['platform']);
    expect(refusalOf(() => attemptsOf(keyed, facts({}, { platform: ['keyed'] })))).toBe('no_eligible_route');
  });

  it('that nothing serves names the way to serve it, unless the policy denies it', () => {
    const unserved = { ...tuned, region: 'gone' };
    expect(() => attemptsOf(unserved)).toThrow('POST /api/v1/fine-tuning/endpoints/{id}/start');
    expect(refusalOf(() => attemptsOf(unserved))).toBe('no_eligible_route');
    expect(refusalOf(() => attemptsOf(unserved, facts({ deniedModels: new Set([tuned.name]) })))).toBe(
      'not_found',
    );
  });

  it('of a base that the catalog does not have any more is gone', () => {
    expect(tunedModelIn(catalog, { ...tuned, baseModel: 'acme/gone' })).toBeNull();
  });
});
