import { z } from 'zod';

/** The fields of the inference bodies that this API promises. SDKs may send others. */
const model = z.string().meta({ description: '`<creator>/<model>`', example: 'acme/small' });
const content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string() }))])
  .meta({ example: 'Hello' });
const stream = z.boolean().optional().meta({ example: false });
const compatMode = z.enum(['permissive', 'strict']).optional().meta({
  description:
    '`permissive` drops a parameter that no eligible endpoint supports. `strict` refuses the call.',
});
const maxOutputTokens = z
  .int()
  .positive()
  .optional()
  .meta({ description: 'Maximum tokens of the answer.', example: 256 });

const messagesField = z
  .array(z.looseObject({ role: z.string().meta({ example: 'user' }), content: content.optional() }))
  .meta({ example: [{ role: 'user', content: 'Hello' }] });

export const chatCall = z
  .looseObject({
    model,
    messages: messagesField,
    max_output_tokens: maxOutputTokens.meta({
      description: 'Maximum tokens of the answer. `max_completion_tokens` and `max_tokens` are synonyms.',
      example: 256,
    }),
    stream,
    compat_mode: compatMode,
  })
  .meta({ id: 'ChatCompletionCall' });

export const messagesCall = z
  .looseObject({
    model,
    messages: messagesField,
    max_tokens: maxOutputTokens.meta({
      description: 'Maximum tokens of the answer. Required, unless `max_output_tokens` is given.',
      example: 256,
    }),
    stream,
    compat_mode: compatMode,
  })
  .meta({
    id: 'MessagesCall',
    example: { model: 'acme/small', max_tokens: 256, messages: [{ role: 'user', content: 'Hello' }] },
  });

export const countTokensCall = z
  .looseObject({ model, messages: messagesField })
  .meta({ id: 'CountTokensCall' });
export const tokenCount = z.looseObject({ input_tokens: z.int().nonnegative().meta({ example: 8 }) });

const svc = z
  .object({
    provider: z.string().meta({ description: 'The provider that answered.', example: 'acme' }),
    attempts: z
      .array(z.looseObject({ region: z.string().meta({ example: 'eu-west' }) }))
      .meta({ description: 'Attempts at providers, in order.' }),
    cost: z.object({
      customer_nanos: z.int().nonnegative().meta({ description: 'Nano-dollars.', example: 421_500 }),
      provider_nanos: z.int().positive().optional().meta({
        description: 'Nano-dollars that your own account at the provider pays. Absent for nothing.',
        example: 421_500,
      }),
      state: z.enum(['final', 'provisional']),
    }),
  })
  .meta({ id: 'SvcAdditions', description: 'The fields that the service adds to an answer.' });

const warnings = z
  .array(z.object({ param: z.string(), code: z.string(), message: z.string() }))
  .optional()
  .meta({ description: 'Parameters that were dropped, and why.', example: [] });

export const chatCompletion = z
  .looseObject({
    id: z.string().meta({ example: 'chatcmpl-1' }),
    object: z.literal('chat.completion'),
    model: z.string().meta({ example: 'acme/small' }),
    choices: z.array(z.looseObject({ index: z.int().meta({ example: 0 }) })).meta({
      example: [{ index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }],
    }),
    usage: z
      .looseObject({ prompt_tokens: z.int(), completion_tokens: z.int() })
      .optional()
      .meta({ example: { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 } }),
    svc,
    warnings,
  })
  .meta({ id: 'ChatCompletion' });

export const message = z
  .looseObject({
    id: z.string().meta({ example: 'msg_1' }),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string().meta({ example: 'acme/small' }),
    content: z
      .array(z.looseObject({ type: z.string() }))
      .meta({ example: [{ type: 'text', text: 'Hello!' }] }),
    stop_reason: z.string().nullable().meta({ example: 'end_turn' }),
    usage: z.looseObject({ output_tokens: z.int() }).meta({ example: { input_tokens: 8, output_tokens: 3 } }),
    svc,
    warnings,
  })
  .meta({ id: 'Message' });

export const responsesCall = z
  .looseObject({
    model,
    input: z.union([z.string(), z.array(z.looseObject({ type: z.string().optional() }))]).meta({
      description: 'A text, or the whole conversation as a list of items.',
      example: 'Hello',
    }),
    instructions: z.string().optional().meta({ description: 'A system prompt.', example: 'Be brief.' }),
    max_output_tokens: maxOutputTokens,
    store: z
      .boolean()
      .optional()
      .meta({ description: 'The service keeps no responses: leave it out, or false.', example: false }),
    stream,
    compat_mode: compatMode,
  })
  .meta({ id: 'ResponsesCall' });

export const response = z
  .looseObject({
    id: z.string().meta({ example: 'resp_1' }),
    object: z.literal('response'),
    created_at: z.number().meta({ description: 'Seconds since 1970 UTC.', example: 1_763_625_600 }),
    model: z.string().meta({ example: 'acme/small' }),
    status: z.string().meta({ example: 'completed' }),
    output: z.array(z.looseObject({ type: z.string() })).meta({
      example: [
        {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello!', annotations: [] }],
        },
      ],
    }),
    usage: z
      .looseObject({ input_tokens: z.int(), output_tokens: z.int() })
      .nullable()
      .optional()
      .meta({ example: { input_tokens: 8, output_tokens: 3, total_tokens: 11 } }),
    svc,
    warnings,
  })
  .meta({ id: 'Response' });

const embeddingInput = z
  .union([
    z.string(),
    z.array(z.string()),
    z.array(z.int().nonnegative()),
    z.array(z.array(z.int().nonnegative())),
  ])
  .meta({
    description: 'A text, a list of tokens, or up to 2048 of either.',
    example: 'The food was delicious.',
  });

export const embeddingsCall = z
  .looseObject({
    model: model.meta({ description: '`<creator>/<model>`', example: 'acme/embed' }),
    input: embeddingInput,
    dimensions: z.int().positive().optional().meta({ description: 'Length of each vector.', example: 256 }),
    encoding_format: z.enum(['float', 'base64']).optional().meta({ example: 'float' }),
    user: z.string().optional().meta({ description: 'The end user, as a label.', example: 'customer-1' }),
    compat_mode: compatMode,
  })
  .meta({ id: 'EmbeddingsCall' });

export const embeddingsAnswer = z
  .looseObject({
    object: z.literal('list'),
    model: z.string().meta({ example: 'acme/embed' }),
    data: z
      .array(
        z.looseObject({
          index: z.int().meta({ example: 0 }),
          embedding: z.union([z.array(z.number()), z.string()]).meta({ example: [0.0023, -0.0093] }),
        }),
      )
      .meta({ description: 'The vectors as the provider wrote them, in the order of the inputs.' }),
    usage: z
      .looseObject({ prompt_tokens: z.int() })
      .optional()
      .meta({ example: { prompt_tokens: 5, total_tokens: 5 } }),
    svc,
    warnings,
  })
  .meta({ id: 'Embeddings' });

export const modelEntry = z
  .object({
    id: model,
    object: z.literal('model'),
    created: z.int().meta({ description: 'Seconds since 1970 UTC.', example: 1_763_625_600 }),
    owned_by: z.string().meta({ example: 'acme' }),
    type: z.literal('model'),
    display_name: z.string().meta({ example: 'Acme Small' }),
    created_at: z.string().meta({ example: '2025-11-20T08:00:00.000Z' }),
    context_window: z
      .int()
      .meta({ description: 'Maximum tokens of prompt and answer together.', example: 128_000 }),
    max_output_tokens: z.int().meta({
      description: 'Maximum tokens of an answer; 0 for a model that generates no text.',
      example: 4096,
    }),
    max_input_tokens: z.int().meta({ example: 128_000 }),
    max_tokens: z.int().meta({ example: 4096 }),
  })
  .meta({ id: 'Model', description: 'The fields that the SDKs of OpenAI and of Anthropic read.' });

export const modelListing = z.object({
  object: z.literal('list'),
  data: z.array(modelEntry),
  has_more: z.literal(false),
  first_id: z.string().nullable().meta({ example: 'acme/small' }),
  last_id: z.string().nullable().meta({ example: 'acme/small' }),
});
