import { z } from 'zod';
import { nanosPerToken, type Prices, type TokenRates } from '@svc/catalog';

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

export const prices = z.object({
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

/** Prices as catalogs write them. @param bps what calls cost, in basis points of the catalog's */
export const presentPrices = ({ longPrompt, ...ordinary }: Prices, bps: number): z.input<typeof prices> => ({
  ...presentRates(ordinary, bps),
  long_prompt: longPrompt ? { above: longPrompt.aboveTokens, ...presentRates(longPrompt, bps) } : null,
});

const presentRates = ({ input, output, cachedInput, cacheWrite }: TokenRates, bps: number) => ({
  input: nanosPerToken(input, bps),
  output: nanosPerToken(output, bps),
  cached_input: nanosPerToken(cachedInput, bps),
  cache_write: nanosPerToken(cacheWrite, bps),
});
