import { generatesText } from '@svc/protocol';
import { type z } from 'zod';

import { type Prices, type TokenRates } from '../pricing/prices';
import { type BetaTerms, type Catalog, type Model, type ModelEndpoint, type Provider } from './catalog';
import {
  endpointSchema,
  fineTuningSchema,
  modelSchema,
  providerSchema,
  type EndpointEntry,
  type ModelEntry,
  type PricesEntry,
  type ProviderEntry,
} from './catalog-schema';
import { CatalogSource, refuseCatalog, type CatalogPath } from './catalog-source';
import { type CatalogEnvironment } from './fill-variables';
import { reportRepeated, reportUnlisted, type Listed } from './listed';
import { connectionOf } from './provider-connection';
import { fineTuningOfferOf, reportForeignTraining, reportRepeatedHardware } from './fine-tuning-offers';
import { readAliases } from './read-aliases';

const LISTS = ['providers', 'models', 'endpoints'] as const;
/** No file needs it. */
const FINE_TUNING = 'fine_tuning';
type List = (typeof LISTS)[number] | typeof FINE_TUNING;
const SECTIONS: readonly string[] = [...LISTS, FINE_TUNING, 'aliases'];
const ENDPOINT_IDENTITY = ['model', 'provider', 'region', 'upstream_model'] as const;

interface CatalogFile {
  /** Its name in problems. */
  readonly file: string;
  readonly text: string;
}

/** The sections of one file. */
interface Sections extends Partial<Record<List | 'aliases', unknown>> {
  readonly source: CatalogSource;
  /** The first file must have all lists. Later ones have only the lists that they extend. */
  readonly isFirst: boolean;
}

/** A catalog of one file. See {@link parseCatalogFiles}. */
export const parseCatalog = (
  text: string,
  { file, env }: { readonly file: string; readonly env: CatalogEnvironment },
): Catalog => parseCatalogFiles([{ file, text }], env);

/**
 * Reads the catalog files. Later ones extend the first (docs/reference/models-and-catalog.md#several-files).
 * @throws CatalogError that lists every problem as `file:line: path: what is wrong`
 */
export function parseCatalogFiles(files: readonly CatalogFile[], env: CatalogEnvironment): Catalog {
  const sources = files.map(({ text, file }) => new CatalogSource(text, file));
  const sections = sources.map((source, at) => readSections(source, at === 0));
  const providerEntries = readLists('providers', sections, providerSchema(env));
  const modelEntries = readLists('models', sections, modelSchema);
  const endpointEntries = readLists('endpoints', sections, endpointSchema);
  const fineTuningEntries = readLists(FINE_TUNING, sections, fineTuningSchema);
  const providerNames = reportRepeated(providerEntries, ['name']);
  const modelIds = reportRepeated(modelEntries, ['id']);
  for (const list of [endpointEntries, fineTuningEntries]) {
    reportRepeated<unknown>(list, ENDPOINT_IDENTITY);
    reportUnlisted(list, 'provider', providerNames);
    reportUnlisted(list, 'model', modelIds);
  }
  reportRepeatedHardware(fineTuningEntries);
  reportForeignTraining(fineTuningEntries, providerNames);
  reportUselessBetas(endpointEntries, providerNames);
  reportForeignOperations(endpointEntries, providerNames);
  reportMissingLimits(modelEntries, endpointEntries);
  const aliases = readAliases(sections, modelIds);
  refuseCatalog(sources);

  const providers = new Map(valid(providerEntries).map((entry) => [entry.name, providerOf(entry)]));
  const aliasesOf = (modelId: string) =>
    [...aliases].flatMap(([alias, target]) => (target === modelId ? [alias] : []));
  const takenAt = new Map(valid(providerEntries).map(({ name, takes }) => [name, takes]));
  const endpoints = valid(endpointEntries).flatMap((entry) => {
    const provider = providers.get(entry.provider);
    if (provider === undefined) return [];
    return [endpointOf({ ...entry, takes: { ...takenAt.get(entry.provider), ...entry.takes } }, provider)];
  });
  const models = valid(modelEntries).map((entry) => modelOf(entry, endpoints, aliasesOf(entry.id)));
  const extraParameters = new Set(endpoints.flatMap((endpoint) => [...(endpoint.extraParameters ?? [])]));
  const fineTuning = valid(fineTuningEntries).flatMap((entry) => {
    const provider = providers.get(entry.provider);
    return provider === undefined ? [] : [fineTuningOfferOf(entry, provider, pricesOf)];
  });
  const byId = new Map(models.map((model) => [model.id, model]));
  return { providers, models: byId, aliases, extraParameters, fineTuning };
}

function readSections(source: CatalogSource, isFirst: boolean): Sections {
  const root = source.read();
  if (!isMapping(root)) {
    source.report([], `must be a mapping with ${LISTS.join(', ')}`);
    source.refuse();
    return { source, isFirst };
  }
  for (const field of Object.keys(root)) {
    if (!SECTIONS.includes(field)) source.report([field], 'unknown field');
  }
  return { ...root, source, isFirst };
}

const readLists = <T>(
  list: List,
  sections: readonly Sections[],
  schema: z.ZodType<T>,
): readonly Listed<T>[] => sections.flatMap((section) => readList(list, section, schema));

function readList<T>(list: List, sections: Sections, schema: z.ZodType<T>): readonly Listed<T>[] {
  const { source, isFirst, [list]: entries } = sections;
  if (entries === undefined && (!isFirst || list === FINE_TUNING)) return [];
  if (!Array.isArray(entries)) {
    source.report([list], entries === undefined ? 'is missing' : 'must be a list');
    return [];
  }
  return entries.map((written: unknown, at) => {
    const path = [list, at];
    const result = schema.safeParse(written);
    if (!result.success) reportIssues(source, path, result.error);
    return { source, path, written: isMapping(written) ? written : {}, entry: result.data };
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

/** Betas are sent to providers that speak Anthropic's protocol only. */
function reportUselessBetas(
  endpoints: readonly Listed<EndpointEntry>[],
  providers: ReadonlyMap<string, Listed<ProviderEntry>>,
): void {
  for (const { source, path, entry } of endpoints) {
    if (entry?.betas === undefined || providers.get(entry.provider)?.entry?.protocol !== 'openai') continue;
    source.report([...path, 'betas'], 'needs a provider that speaks anthropic');
  }
}

const ONLY_OPENAI = ['responses', 'embeddings'] as const;

/** Only OpenAI's protocol has responses and embeddings, and some fields are of one operation alone. */
function reportForeignOperations(
  endpoints: readonly Listed<EndpointEntry>[],
  providers: ReadonlyMap<string, Listed<ProviderEntry>>,
): void {
  for (const { source, path, entry } of endpoints) {
    if (entry === undefined) continue;
    const isForeign = providers.get(entry.provider)?.entry?.protocol === 'anthropic';
    for (const operation of ONLY_OPENAI) {
      const at = entry.operations.indexOf(operation);
      if (!isForeign || at === -1) continue;
      source.report([...path, 'operations', at], `${operation} need a provider that speaks openai`);
    }
    if (entry.text_input_only && !entry.operations.includes('embeddings')) {
      source.report([...path, 'text_input_only'], 'needs the operation embeddings');
    }
    if (entry.built_in_tools !== undefined && !entry.operations.includes('responses')) {
      source.report([...path, 'built_in_tools'], 'needs the operation responses');
    }
  }
}

/** Only a model that generates no text has no output to limit. */
function reportMissingLimits(
  models: readonly Listed<ModelEntry>[],
  endpoints: readonly Listed<EndpointEntry>[],
): void {
  const generating = new Set(
    endpoints.flatMap(({ entry }) => (entry?.operations.some(generatesText) === true ? entry.model : [])),
  );
  for (const { source, path, entry } of models) {
    if (entry === undefined || entry.max_output_tokens !== undefined) continue;
    if (generating.has(entry.id)) source.report([...path, 'max_output_tokens'], 'is missing');
  }
}

function valid<T>(list: readonly Listed<T>[]): readonly T[] {
  return list.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
}

function providerOf(entry: ProviderEntry): Provider {
  const { name, protocol, base_url: baseUrl, credential_env: credentialEnv = null } = entry;
  const connection = connectionOf(entry);
  const { reasoning_fields: reasoningFields, chat_messages: chatForm } = entry;
  return {
    name,
    protocol,
    baseUrl,
    credentialEnv,
    ...(reasoningFields && { reasoningFields }),
    ...(chatForm && { chatForm }),
    ...(connection && { connection }),
  };
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
    usage: entry.usage,
    prices: pricesOf(entry.prices),
    ...takesOf(entry),
    ...(entry.text_input_only && { textInputOnly: true }),
    ...(entry.extra_parameters && { extraParameters: new Set(entry.extra_parameters) }),
    ...(entry.built_in_tools && { builtInTools: new Set(entry.built_in_tools) }),
    ...(entry.betas && { betas: betasOf(entry.betas) }),
    timeouts: { firstByteMs: entry.timeout_ms.first_byte, idleMs: entry.timeout_ms.idle },
  };
}

function takesOf({ takes = {}, takes_one_of: oneOf = [] }: EndpointEntry): Pick<ModelEndpoint, 'takes'> {
  if (Object.keys(takes).length + oneOf.length === 0) return {};
  return { takes: { values: takes, oneOf } };
}

const betasOf = (betas: NonNullable<EndpointEntry['betas']>): ReadonlyMap<string, BetaTerms> =>
  new Map(
    Object.entries(betas).map(([name, { prices, context_window: contextWindow = null }]) => [
      name,
      { prices: pricesOf(prices), contextWindow },
    ]),
  );

function pricesOf({ long_prompt: longPrompt, ...rates }: PricesEntry): Prices {
  if (longPrompt === undefined) return ratesOf(rates);
  return { ...ratesOf(rates), longPrompt: { ...ratesOf(longPrompt), aboveTokens: longPrompt.above } };
}

function ratesOf(rates: Omit<PricesEntry, 'long_prompt'>): TokenRates {
  const { input, output, cached_input: cachedInput = input, cache_write: cacheWrite = input } = rates;
  return { input, output, cachedInput, cacheWrite };
}

function modelOf(entry: ModelEntry, endpoints: readonly ModelEndpoint[], aliases: readonly string[]): Model {
  return {
    id: entry.id,
    aliases,
    displayName: entry.display_name,
    contextWindow: entry.context_window,
    maxOutputTokens: entry.max_output_tokens ?? 0,
    createdAtSeconds: entry.created === undefined ? 0 : Date.parse(entry.created) / 1000,
    endpoints: endpoints.filter(({ modelId }) => modelId === entry.id),
  };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
