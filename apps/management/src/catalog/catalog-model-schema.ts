import { z } from 'zod';
import { nanosPerToken, type ModelEndpoint, type Prices, type TokenRates } from '@svc/inference';
import { OPERATIONS } from '@svc/protocol';
import { type VisibleModel } from './catalog-models';

const price = (what: string, example: number) =>
  z
    .number()
    .min(0)
    .meta({ description: `Nano-dollars per token of ${what}.`, example });

const rates = {
  input: price('the prompt', 150),
  output: price('the answer', 600),
  cached_input: price('the prompt that the provider read from its cache', 37.5),
  cache_write: price('the prompt that the provider wrote to its cache', 190),
};

const prices = z.object({
  ...rates,
  long_prompt: z
    .object({
      above: z.int().min(1).meta({
        description: 'The prompt tokens, cached ones included, above which these prices apply.',
        example: 200_000,
      }),
      ...rates,
    })
    .nullable()
    .meta({
      description: 'The prices of a whole call whose prompt is longer; null if they do not differ.',
    }),
});

const tokenCount = (what: string, example: number) => z.int().min(1).meta({ description: what, example });

const endpoint = z.object({
  provider: z.string().meta({ example: 'acme' }),
  region: z.string().meta({ example: 'eu-west' }),
  data_retention: z
    .enum(['zero', 'retained'])
    .meta({ description: 'Whether the provider keeps the data that it gets.' }),
  operations: z
    .array(z.enum(OPERATIONS))
    .meta({ description: 'The inference routes that the endpoint serves.' }),
  parameters: z
    .array(z.string())
    .nullable()
    .meta({
      description: 'The optional body fields that the endpoint supports; null for all of the route.',
      example: ['temperature'],
    }),
  extra_parameters: z.array(z.string()).meta({
    description: 'The body fields that the endpoint supports beyond those of the route.',
    example: ['min_p'],
  }),
  prices,
  betas: z
    .array(
      z.object({
        name: z.string().meta({ example: 'context-1m-2025-08-07' }),
        context_window: tokenCount('Maximum tokens of prompt and answer together.', 1_000_000)
          .nullable()
          .meta({ description: 'Null for that of the model.' }),
        prices,
      }),
    )
    .meta({ description: 'What holds for a call that names one of these betas of Anthropic.' }),
});

export const catalogModel = z
  .object({
    id: z.string().meta({ description: '`<creator>/<model>`', example: 'acme/small' }),
    aliases: z
      .array(z.string())
      .meta({ description: 'Other names that calls may use for the model.', example: ['fast'] }),
    display_name: z.string().meta({ example: 'Acme Small' }),
    context_window: tokenCount('Maximum tokens of prompt and answer together.', 128_000),
    max_output_tokens: z.int().nonnegative().meta({
      description: 'Maximum tokens of an answer; 0 for a model that generates no text.',
      example: 4096,
    }),
    endpoints: z.array(endpoint).min(1).meta({ description: 'The endpoints that the policy allows.' }),
  })
  .meta({ id: 'CatalogModel' });

type Shown = z.input<typeof catalogModel>;
type ShownEndpoint = Shown['endpoints'][number];

export const presentCatalogModel = ({ model, endpoints }: VisibleModel): Shown => ({
  id: model.id,
  aliases: [...model.aliases],
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
  extra_parameters: [...(endpoint.extraParameters ?? [])],
  prices: presentPrices(endpoint.prices),
  betas: [...(endpoint.betas ?? [])].map(([name, { contextWindow, prices: ofBeta }]) => ({
    name,
    context_window: contextWindow,
    prices: presentPrices(ofBeta),
  })),
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
