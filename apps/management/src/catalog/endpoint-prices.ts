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

/** Prices as catalogs write them. */
export const presentPrices = ({ longPrompt, ...ordinary }: Prices): z.input<typeof prices> => ({
  ...presentRates(ordinary),
  long_prompt: longPrompt ? { above: longPrompt.aboveTokens, ...presentRates(longPrompt) } : null,
});

const presentRates = ({ input, output, cachedInput, cacheWrite }: TokenRates) => ({
  input: nanosPerToken(input),
  output: nanosPerToken(output),
  cached_input: nanosPerToken(cachedInput),
  cache_write: nanosPerToken(cacheWrite),
});
