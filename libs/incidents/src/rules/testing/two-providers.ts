import {
  envCredential,
  type Catalog,
  type Model,
  type ModelEndpoint,
  type PricePerToken,
  type Provider,
} from '@svc/catalog';
import { type Operation } from '@svc/protocol';
import { type EndpointCircuit } from '../judge-circuits';

const acme: Provider = {
  name: 'acme',
  protocol: 'openai',
  baseUrl: 'http://acme',
  credentialEnv: [envCredential('ACME_KEY')],
};
const beta: Provider = { ...acme, name: 'beta', credentialEnv: [envCredential('BETA_KEY')] };

const price = 1n as PricePerToken;

const endpointOf = (modelId: string, provider: Provider): ModelEndpoint => ({
  id: `${modelId}|${provider.name}`,
  modelId,
  provider,
  upstreamModel: modelId,
  region: 'eu',
  dataRetention: 'zero',
  operations: new Set<Operation>(['chat_completions']),
  parameters: null,
  usage: 'reported',
  prices: { input: price, output: price, cachedInput: price, cacheWrite: price },
  timeouts: { firstByteMs: 1, idleMs: 1 },
});

const modelOf = (id: string, ...providers: readonly Provider[]): readonly [string, Model] => [
  id,
  {
    id,
    aliases: [],
    displayName: id,
    contextWindow: 1_000,
    maxOutputTokens: 100,
    createdAtSeconds: 0,
    endpoints: providers.map((provider) => endpointOf(id, provider)),
  },
];

/** `m/both` is at both providers, `m/acme` and `m/beta` at one each. */
export const twoProviders: Catalog = {
  providers: new Map([acme, beta].map((provider) => [provider.name, provider])),
  models: new Map([modelOf('m/both', acme, beta), modelOf('m/acme', acme), modelOf('m/beta', beta)]),
  aliases: new Map(),
  fineTuning: [],
  extraParameters: new Set(),
};

/** @param openSince null for a closed circuit. */
export const circuitAt = (endpointId: string, openSince: Date | null): EndpointCircuit => ({
  endpointId,
  provider: endpointId.split('|')[1] ?? '',
  state: openSince === null ? 'closed' : 'open',
  openSince,
});
