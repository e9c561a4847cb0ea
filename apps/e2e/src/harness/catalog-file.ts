import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { workspaceRoot } from './app-process';

/** Nano-dollars per token, as a catalog writes them (docs/reference/models-and-catalog.md#prices). */
export interface CatalogPrices {
  readonly input: number;
  readonly output: number;
  readonly cached_input?: number;
  readonly cache_write?: number;
}

interface CatalogEndpoint {
  readonly model: string;
  readonly provider: string;
  readonly upstream_model: string;
  readonly region: string;
  readonly data_retention: 'zero' | 'retained';
  readonly operations?: readonly ('chat_completions' | 'messages' | 'responses' | 'embeddings')[];
  readonly built_in_tools?: readonly string[];
  readonly parameters?: readonly string[];
  readonly extra_parameters?: readonly string[];
  readonly usage?: 'reported' | 'estimated';
  readonly prices: CatalogPrices;
  readonly takes?: object;
  readonly takes_one_of?: object;
  readonly text_input_only?: boolean;
  readonly timeout_ms?: { readonly first_byte: number; readonly idle: number };
}

export interface CatalogDocument {
  readonly providers: readonly {
    name: string;
    protocol: 'openai' | 'anthropic';
    base_url: string;
    credential_env?: string;
    reasoning_fields?: readonly string[];
    takes?: object;
    chat_messages?: object;
  }[];
  readonly models: readonly {
    id: string;
    display_name: string;
    context_window: number;
    max_output_tokens?: number;
  }[];
  readonly endpoints: readonly CatalogEndpoint[];
}

/** One upstream of a fallback plan: the plan tries the cheapest first. */
interface PlannedUpstream {
  readonly name: string;
  readonly url: string;
  readonly region?: string;
  readonly timeoutMs?: { readonly first_byte: number; readonly idle: number };
}

/** Prices with a fraction of a nano, so that rounding shows. */
export const testPrices: CatalogPrices = { input: 150, output: 600.5, cached_input: 37.5, cache_write: 190 };

export const testModel = 'test/echo';
export const embeddingModel = 'test/embed';

/** The price of a token with a fraction of a nano. */
export const embeddingPrices: CatalogPrices = { input: 20.5, output: 0 };

/** One model on both routes, served by the given upstreams in the order given: each dearer than the one before. */
export function catalogOf(...upstreams: readonly [PlannedUpstream, ...PlannedUpstream[]]): CatalogDocument {
  return {
    providers: upstreams.flatMap(({ name, url }) => [
      { name: `${name}-chat`, protocol: 'openai' as const, base_url: `${url}/v1` },
      { name: `${name}-messages`, protocol: 'anthropic' as const, base_url: `${url}/v1` },
    ]),
    models: [{ id: testModel, display_name: 'Test Echo', context_window: 200_000, max_output_tokens: 8192 }],
    endpoints: upstreams.flatMap((upstream, order) =>
      (['chat', 'messages'] as const).map((route) => ({
        model: testModel,
        provider: `${upstream.name}-${route}`,
        upstream_model: `${upstream.name}-model`,
        region: upstream.region ?? 'local',
        data_retention: 'zero' as const,
        operations: [route === 'chat' ? ('chat_completions' as const) : ('messages' as const)],
        prices: { ...testPrices, output: testPrices.output + order },
        ...(upstream.timeoutMs === undefined ? {} : { timeout_ms: upstream.timeoutMs }),
      })),
    ),
  };
}

/** The same with a model for embeddings at each of the upstreams, each dearer than the one before. */
export function withEmbeddings({ providers, models, endpoints }: CatalogDocument): CatalogDocument {
  const chats = endpoints.filter(({ operations }) => operations?.includes('chat_completions') === true);
  return {
    providers,
    models: [...models, { id: embeddingModel, display_name: 'Test Embed', context_window: 8192 }],
    endpoints: [
      ...endpoints,
      ...chats.map((endpoint, order) => ({
        ...endpoint,
        model: embeddingModel,
        upstream_model: `${endpoint.upstream_model}-embed`,
        operations: ['embeddings'] as const,
        prices: { ...embeddingPrices, input: embeddingPrices.input + order },
      })),
    ],
  };
}

export const shippedCatalogFile = join(workspaceRoot, 'config/catalog.yaml');

export const shippedCatalog = (): CatalogDocument =>
  parse(readFileSync(shippedCatalogFile, 'utf8')) as CatalogDocument;

/** The prices of a model at a provider in the shipped catalog. */
export function shippedPrices(model: string, provider: string): CatalogPrices {
  const { endpoints } = shippedCatalog();
  const found = endpoints.find((endpoint) => endpoint.model === model && endpoint.provider === provider);
  if (found === undefined)
    throw new Error(`The shipped catalog has no endpoint for ${model} at ${provider}.`);
  return found.prices;
}
