import {
  envCredential,
  type Catalog,
  type Model,
  type ModelEndpoint,
  type PricePerToken,
  type Provider,
} from '@svc/catalog';
import { type Operation } from '@svc/protocol';
import fc from 'fast-check';
import { type Policy } from '../../policy/policy';
import { DEFAULT_POLICY } from '../../policy/policy-document';
import { UNMEASURED, type EndpointFigures } from '../endpoint-figures';
import { plainCall, type RoutingCall, type RoutingFacts } from '../routing-facts';

export const modelId = 'acme/small';
export const open: Provider = {
  name: 'open',
  protocol: 'openai',
  baseUrl: 'http://open',
  credentialEnv: null,
};
export const keyed: Provider = { ...open, name: 'keyed', credentialEnv: [envCredential('KEYED_API_KEY')] };
export const anthropic: Provider = { ...open, name: 'anthropic', protocol: 'anthropic' };

export function endpoint(
  id: string,
  {
    provider = open,
    price: nanosPerToken = 1,
    parameters = null as readonly string[] | null,
    ...rest
  }: Partial<Pick<ModelEndpoint, 'provider' | 'region' | 'dataRetention' | 'operations'>> & {
    readonly price?: number;
    readonly parameters?: readonly string[] | null;
  } = {},
): ModelEndpoint {
  const price = (BigInt(nanosPerToken) * 1_000_000n) as PricePerToken;
  return {
    id,
    modelId,
    provider,
    upstreamModel: id,
    region: 'eu',
    dataRetention: 'zero',
    operations: new Set<Operation>(['chat_completions', 'messages']),
    parameters: parameters && new Set(parameters),
    usage: 'reported',
    prices: { input: price, output: price, cachedInput: price, cacheWrite: price },
    timeouts: { firstByteMs: 1, idleMs: 1 },
    ...rest,
  };
}

export function modelOf(endpoints: readonly ModelEndpoint[]): Model {
  return {
    id: modelId,
    aliases: [],
    displayName: 'Small',
    contextWindow: 1000,
    maxOutputTokens: 100,
    createdAtSeconds: 0,
    endpoints,
  };
}

export interface Circumstances {
  readonly policy?: Partial<Policy>;
  readonly platform?: readonly string[];
  readonly own?: readonly string[];
  readonly openCircuits?: readonly string[];
  readonly figures?: Readonly<Record<string, Partial<EndpointFigures>>>;
}
export function factsOf(
  endpoints: readonly ModelEndpoint[],
  { policy, platform = [], own = [], openCircuits = [], figures = {} }: Circumstances = {},
): RoutingFacts & { catalog: Catalog } {
  return {
    catalog: {
      providers: new Map(),
      models: new Map([[modelId, modelOf(endpoints)]]),
      aliases: new Map(),
      fineTuning: [],
      extraParameters: new Set(),
    },
    policy: { ...DEFAULT_POLICY, ...policy },
    hasPlatformCredential: ({ name }) => platform.includes(name),
    hasOwnCredential: ({ name }) => own.includes(name),
    openCircuits: new Set(openCircuits),
    figuresOf: ({ id }) => ({ ...UNMEASURED, ...figures[id] }),
  };
}

export const callOf = (changes: Partial<RoutingCall> = {}): RoutingCall => ({
  ...plainCall(modelId, 'chat_completions'),
  ...changes,
});

const names = ['0', '1', '2', '3', '4', '5'];
const subset = (...values: string[]) => fc.subarray(values).map((list) => new Set(list));
const arbitraryEndpoint = fc.record({
  provider: fc.constantFrom(open, keyed, anthropic),
  price: fc.integer({ min: 0, max: 2 }),
  region: fc.constantFrom('eu', 'us'),
  dataRetention: fc.constantFrom('zero' as const, 'retained' as const),
  parameters: fc.option(fc.subarray(['seed', 'top_p'])),
});
const arbitraryPolicy = fc.record({
  allowedProviders: fc.option(subset('open', 'keyed', 'anthropic')),
  deniedProviders: subset('open', 'keyed'),
  allowedRegions: fc.option(subset('eu', 'us')),
  deniedRegions: subset('us'),
  allowedModels: fc.option(subset(modelId)),
  requireZeroRetention: fc.boolean(),
  sort: fc.constantFrom('price' as const, 'latency' as const, 'throughput' as const),
  maxAttempts: fc.option(fc.integer({ min: 1, max: 4 })),
  credentialMode: fc.constantFrom('own_first' as const, 'own_only' as const, 'platform_only' as const),
});
const arbitraryCircumstances = fc.record({
  policy: arbitraryPolicy,
  platform: fc.subarray(['keyed']),
  own: fc.subarray(['keyed', 'open']),
  openCircuits: fc.subarray(names),
  figures: fc.dictionary(
    fc.constantFrom(...names),
    fc.record({ latencyMs: fc.option(fc.nat(3)), tokensPerSecond: fc.option(fc.nat(3)) }),
  ),
});
const arbitraryCall = fc.record({
  operation: fc.constantFrom<Operation>('chat_completions', 'messages'),
  compatMode: fc.constantFrom('permissive' as const, 'strict' as const),
  parameters: fc.subarray(['seed', 'top_p']),
});
/** An endpoint's id is its place in the catalog. */
export const arbitraryRouting = fc.record({
  endpoints: fc
    .array(arbitraryEndpoint, { maxLength: names.length })
    .map((list) => list.map((changes, at) => endpoint(names[at] ?? '', changes))),
  circumstances: arbitraryCircumstances,
  call: arbitraryCall.map(callOf),
});
