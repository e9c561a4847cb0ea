import { type z } from 'zod';

import { type Prices, type TokenRates } from '../pricing/prices';
import { type CatalogEnvironment } from './base-url';
import { type Catalog, type Model, type ModelEndpoint, type Provider } from './catalog';
import {
  endpointSchema,
  modelSchema,
  providerSchema,
  type EndpointEntry,
  type ModelEntry,
  type PricesEntry,
  type ProviderEntry,
} from './catalog-schema';
import { CatalogSource, type CatalogPath } from './catalog-source';

const SECTIONS = ['providers', 'models', 'endpoints'] as const;
type Section = (typeof SECTIONS)[number];
const ENDPOINT_IDENTITY = ['model', 'provider', 'region', 'upstream_model'] as const;

interface Listed<T> {
  readonly path: CatalogPath;
  /** As it stands in the file, so that one mistake in it hides no other and spreads to no other entry. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Undefined when it is not valid, which has been reported. */
  readonly entry: T | undefined;
}

/**
 * Reads the catalog file (contract.md section 6).
 * @throws CatalogError that lists every problem as `file:line: path: what is wrong`
 */
export function parseCatalog(
  text: string,
  { file, env }: { readonly file: string; readonly env: CatalogEnvironment },
): Catalog {
  const source = new CatalogSource(text, file);
  const sections = readSections(source);
  const providerEntries = readList(source, 'providers', sections.providers, providerSchema(env));
  const modelEntries = readList(source, 'models', sections.models, modelSchema);
  const endpointEntries = readList(source, 'endpoints', sections.endpoints, endpointSchema);
  const providerNames = reportRepeated(source, providerEntries, ['name']);
  const modelIds = reportRepeated(source, modelEntries, ['id']);
  reportRepeated(source, endpointEntries, ENDPOINT_IDENTITY);
  reportUnlisted(source, endpointEntries, 'provider', providerNames);
  reportUnlisted(source, endpointEntries, 'model', modelIds);
  source.refuse();

  const providers = new Map(valid(providerEntries).map((entry) => [entry.name, providerOf(entry)]));
  const endpoints = valid(endpointEntries).flatMap((entry) => {
    const provider = providers.get(entry.provider);
    return provider === undefined ? [] : [endpointOf(entry, provider)];
  });
  const models = valid(modelEntries).map((entry) => modelOf(entry, endpoints));
  return { providers, models: new Map(models.map((model) => [model.id, model])) };
}

function readSections(source: CatalogSource): Partial<Record<Section, unknown>> {
  const root = source.read();
  if (!isMapping(root)) {
    source.report([], `must be a mapping with ${SECTIONS.join(', ')}`);
    source.refuse();
    return {};
  }
  for (const field of Object.keys(root)) {
    if (!(SECTIONS as readonly string[]).includes(field)) source.report([field], 'unknown field');
  }
  return root;
}

function readList<T>(
  source: CatalogSource,
  section: Section,
  list: unknown,
  schema: z.ZodType<T>,
): readonly Listed<T>[] {
  if (!Array.isArray(list)) {
    source.report([section], list === undefined ? 'is missing' : 'must be a list');
    return [];
  }
  return list.map((written: unknown, at) => {
    const path = [section, at];
    const result = schema.safeParse(written);
    if (!result.success) reportIssues(source, path, result.error);
    return { path, written: isMapping(written) ? written : {}, entry: result.data };
  });
}

function reportIssues(source: CatalogSource, path: CatalogPath, error: z.ZodError): void {
  for (const issue of error.issues) {
    const place = [...path, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))];
    if (issue.code === 'unrecognized_keys') {
      for (const field of issue.keys) source.report([...place, field], 'unknown field');
    } else {
      source.report(place, source.has(place) ? issue.message : 'is missing');
    }
  }
}

/** @returns the identities listed */
function reportRepeated(
  source: CatalogSource,
  list: readonly Listed<unknown>[],
  identity: readonly string[],
): ReadonlySet<string> {
  const listed = new Set<string>();
  for (const { path, written } of list) {
    const parts = identity.map((field) => written[field]);
    if (!parts.every((part) => typeof part === 'string')) continue;
    const key = parts.join('|');
    if (listed.has(key)) source.report(path, `${key} is listed twice`);
    listed.add(key);
  }
  return listed;
}

function reportUnlisted(
  source: CatalogSource,
  endpoints: readonly Listed<unknown>[],
  field: 'provider' | 'model',
  listed: ReadonlySet<string>,
): void {
  for (const { path, written } of endpoints) {
    const name = written[field];
    if (typeof name === 'string' && !listed.has(name))
      source.report([...path, field], `${name} is not listed`);
  }
}

function valid<T>(list: readonly Listed<T>[]): readonly T[] {
  return list.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
}

function providerOf(entry: ProviderEntry): Provider {
  const { name, protocol, base_url: baseUrl, credential_env: credentialEnv = null } = entry;
  return { name, protocol, baseUrl, credentialEnv };
}

function endpointOf(entry: EndpointEntry, provider: Provider): ModelEndpoint {
  return {
    id: ENDPOINT_IDENTITY.map((field) => entry[field]).join('|'),
    modelId: entry.model,
    provider,
    upstreamModel: entry.upstream_model,
    region: entry.region,
    dataRetention: entry.data_retention,
    operations: new Set(entry.operations),
    parameters: entry.parameters === undefined ? null : new Set(entry.parameters),
    prices: pricesOf(entry.prices),
    timeouts: { firstByteMs: entry.timeout_ms.first_byte, idleMs: entry.timeout_ms.idle },
  };
}

function pricesOf({ long_prompt: longPrompt, ...rates }: PricesEntry): Prices {
  if (longPrompt === undefined) return ratesOf(rates);
  return { ...ratesOf(rates), longPrompt: { ...ratesOf(longPrompt), aboveTokens: longPrompt.above } };
}

function ratesOf(rates: Omit<PricesEntry, 'long_prompt'>): TokenRates {
  const { input, output, cached_input: cachedInput = input, cache_write: cacheWrite = input } = rates;
  return { input, output, cachedInput, cacheWrite };
}

function modelOf(entry: ModelEntry, endpoints: readonly ModelEndpoint[]): Model {
  return {
    id: entry.id,
    displayName: entry.display_name,
    contextWindow: entry.context_window,
    maxOutputTokens: entry.max_output_tokens,
    createdAtSeconds: entry.created === undefined ? 0 : Date.parse(entry.created) / 1000,
    endpoints: endpoints.filter(({ modelId }) => modelId === entry.id),
  };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
