import { z } from 'zod';
import { nanosAmount } from '@svc/api';
import { priceOfSeconds } from '@svc/fine-tuning';
import { nanosPerToken, type FineTuningOffer, type ModelEndpoint } from '@svc/catalog';
import { nanosToJson } from '@svc/kernel';
import { OPERATIONS, valuesForCallers } from '@svc/protocol';
import { exclusion } from '../routing/exclusion-schema';
import { type EndpointStanding, type VisibleModel } from './catalog-models';
import { presentPrices, prices } from './endpoint-prices';

const tokenCount = (what: string, example: number) => z.int().min(1).meta({ description: what, example });

const WITH_UNAVAILABLE = 'With `include=unavailable`.';
const standing = {
  eligible: z
    .boolean()
    .optional()
    .meta({ description: `Whether calls can use it. ${WITH_UNAVAILABLE}`, example: false }),
  reasons: z
    .array(z.object(exclusion))
    .optional()
    .meta({ description: `Why calls cannot use it; empty where they can. ${WITH_UNAVAILABLE}` }),
};

const endpoint = z.object({
  id: z
    .string()
    .optional()
    .meta({
      description: `Stable while model, provider, region and the provider’s name of the model are. ${WITH_UNAVAILABLE}`,
      example: 'acme/small|acme|eu-west|small-1',
    }),
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
  takes: z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean()]))).meta({
    description:
      'The only values that the model takes of some parameters, by their paths in the protocol of the provider; an empty list for none. It takes any value of others.',
    example: { temperature: [1] },
  }),
  takes_one_of: z.array(z.array(z.string())).meta({
    description: 'Lists of parameters of which the model takes one: the first that a call sets.',
    example: [['temperature', 'top_p']],
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
  ...standing,
  credential: z
    .enum(['own', 'platform', 'none'])
    .optional()
    .meta({
      description: `Whose credential calls use first; \`none\` where the provider takes none, or there is none. ${WITH_UNAVAILABLE}`,
    }),
  latency: z
    .number()
    .nullable()
    .optional()
    .meta({
      description:
        'Milliseconds until a stream begins, as edges measured them in the last 5 minutes; where they measured none, until a ' +
        `plain answer is complete; else null. ${WITH_UNAVAILABLE}`,
      example: 240.5,
    }),
});

const perToken = z.number().min(0).meta({ description: 'Nano-dollars.', example: 3_000 });
const fineTuningOffer = z.object({
  provider: z.string().meta({ example: 'acme' }),
  region: z.string().meta({ example: 'eu-west' }),
  data_retention: z.enum(['zero', 'retained']),
  price_per_trained_token: perToken,
  max_trained_tokens: tokenCount('The most tokens that money is held for.', 50_000_000),
  epochs: z.object({
    default: z.int().min(1).meta({ description: 'Where a job does not say.', example: 3 }),
    max: z.int().min(1).meta({ example: 10 }),
  }),
  inference: prices.nullable().meta({
    description:
      'Prices of the result where it is served without an endpoint of its own; null where it is not.',
  }),
  hardware: z
    .array(
      z.object({
        id: z.string().meta({ example: 'h100-1' }),
        price_per_hour_nanos: nanosAmount().nonnegative(),
      }),
    )
    .meta({ description: 'Machines that serve the result alone.' }),
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
    endpoints: z.array(endpoint).meta({
      description: 'The endpoints that the policy allows; with `include=unavailable` all of them.',
    }),
    fine_tuning: z.array(fineTuningOffer).optional().meta({
      description: 'Where the model can be trained; absent where it cannot.',
    }),
    ...standing,
  })
  .meta({ id: 'CatalogModel' });

type Shown = z.input<typeof catalogModel>;
type ShownEndpoint = Shown['endpoints'][number];

export const catalogQuery = {
  include: z
    .enum(['unavailable'])
    .optional()
    .meta({
      description:
        '`unavailable`: all models and endpoints of the catalog, each with whether calls can use it, and why not. It needs ' +
        '`policy:read`, too.',
    }),
};

/** @param bps what calls cost, in basis points of the catalog's prices */
export const presentCatalogModel = (
  { model, endpoints, offers, reasons }: VisibleModel,
  bps: number,
): Shown => ({
  id: model.id,
  aliases: [...model.aliases],
  display_name: model.displayName,
  context_window: model.contextWindow,
  max_output_tokens: model.maxOutputTokens,
  endpoints: endpoints.map(({ endpoint: shown, standing: known }) => ({
    ...(known && { id: shown.id }),
    ...presentEndpoint(shown, bps),
    ...(known && presentStanding(known)),
  })),
  ...(offers.length > 0 && { fine_tuning: offers.map((offer) => presentOffer(offer, bps)) }),
  ...(reasons && presentReasons(reasons)),
});

const presentOffer = (offer: FineTuningOffer, bps: number): z.input<typeof fineTuningOffer> => ({
  provider: offer.provider.name,
  region: offer.region,
  data_retention: offer.dataRetention,
  price_per_trained_token: nanosPerToken(offer.pricePerTrainedToken, bps),
  max_trained_tokens: offer.maxTrainedTokens,
  epochs: { ...offer.epochs },
  inference: offer.inference && presentPrices(offer.inference, bps),
  hardware: offer.hardware.map(({ id, pricePerHour }) => ({
    id,
    price_per_hour_nanos: nanosToJson(priceOfSeconds(3_600, pricePerHour, bps)),
  })),
});

const presentReasons = (reasons: EndpointStanding['reasons']) => ({
  eligible: reasons.length === 0,
  reasons: [...reasons],
});

const presentStanding = ({ reasons, credential, latencyMs }: EndpointStanding) => ({
  ...presentReasons(reasons),
  credential,
  latency: latencyMs,
});

const presentEndpoint = (endpoint: ModelEndpoint, bps: number): ShownEndpoint => ({
  provider: endpoint.provider.name,
  region: endpoint.region,
  data_retention: endpoint.dataRetention,
  operations: [...endpoint.operations],
  parameters: endpoint.parameters && [...endpoint.parameters],
  extra_parameters: [...(endpoint.extraParameters ?? [])],
  takes: endpoint.takes === undefined ? {} : (valuesForCallers(endpoint.takes) as ShownEndpoint['takes']),
  takes_one_of: (endpoint.takes?.oneOf ?? []).map((names) => [...names]),
  prices: presentPrices(endpoint.prices, bps),
  betas: [...(endpoint.betas ?? [])].map(([name, { contextWindow, prices: ofBeta }]) => ({
    name,
    context_window: contextWindow,
    prices: presentPrices(ofBeta, bps),
  })),
});
