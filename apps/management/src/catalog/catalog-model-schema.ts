import { z } from 'zod';

const price = (what: string, example: number) =>
  z
    .number()
    .min(0)
    .meta({ description: `Nano-dollars for a token of ${what}.`, example });

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
      above: z
        .int()
        .min(1)
        .meta({ description: 'Tokens of the prompt, cached ones included.', example: 200_000 }),
      ...rates,
    })
    .nullable()
    .meta({
      description:
        'What holds for the whole of a call whose prompt is longer; null where there is no other price.',
    }),
});

const tokenCount = (what: string, example: number) => z.int().min(1).meta({ description: what, example });

const endpoint = z.object({
  provider: z.string().meta({ example: 'acme' }),
  region: z.string().meta({ example: 'eu-west' }),
  data_retention: z
    .enum(['zero', 'retained'])
    .meta({ description: 'Whether the provider keeps what it is sent.' }),
  operations: z
    .array(z.enum(['chat_completions', 'messages']))
    .meta({ description: 'The inference routes that it serves.' }),
  parameters: z
    .array(z.string())
    .nullable()
    .meta({
      description: 'The optional body fields that it takes; null for all of the route.',
      example: ['temperature'],
    }),
  prices,
});

export const catalogModel = z
  .object({
    id: z.string().meta({ description: '`<creator>/<model>`', example: 'acme/small' }),
    display_name: z.string().meta({ example: 'Acme Small' }),
    context_window: tokenCount('Tokens of prompt and answer.', 128_000),
    max_output_tokens: tokenCount('Tokens of an answer.', 4096),
    endpoints: z.array(endpoint).min(1).meta({ description: 'Those that the policy lets be called.' }),
  })
  .meta({ id: 'CatalogModel' });
