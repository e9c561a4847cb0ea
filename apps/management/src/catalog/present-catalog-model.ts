import { type z } from 'zod';
import { nanosPerToken, type ModelEndpoint, type Prices, type TokenRates } from '@svc/inference';
import { type VisibleModel } from './catalog-models';
import { type catalogModel } from './catalog-model-schema';

type Shown = z.input<typeof catalogModel>;
type ShownEndpoint = Shown['endpoints'][number];

export const presentCatalogModel = ({ model, endpoints }: VisibleModel): Shown => ({
  id: model.id,
  display_name: model.displayName,
  context_window: model.contextWindow,
  max_output_tokens: model.maxOutputTokens,
  endpoints: endpoints.map(presentEndpoint),
});

const presentEndpoint = (endpoint: ModelEndpoint): ShownEndpoint => ({
  provider: endpoint.provider.name,
  region: endpoint.region,
  data_retention: endpoint.dataRetention,
  operations: [...endpoint.operations],
  parameters: endpoint.parameters && [...endpoint.parameters],
  prices: presentPrices(endpoint.prices),
});

const presentPrices = ({ longPrompt, ...prices }: Prices): ShownEndpoint['prices'] => ({
  ...presentRates(prices),
  long_prompt: longPrompt ? { above: longPrompt.aboveTokens, ...presentRates(longPrompt) } : null,
});

const presentRates = ({ input, output, cachedInput, cacheWrite }: TokenRates) => ({
  input: nanosPerToken(input),
  output: nanosPerToken(output),
  cached_input: nanosPerToken(cachedInput),
  cache_write: nanosPerToken(cacheWrite),
});
