import { embeddingModel, testModel, type CatalogDocument } from '../harness/catalog-file';

export type SimulatedOperation = 'chat_completions' | 'messages' | 'responses' | 'embeddings';

/** Milliseconds that each provider takes longer than the simulator: so far apart that no noise changes their order. */
export const speeds = { swift: 0, steady: 60, foreign: 240, owned: 960 } as const;
export const PROVIDERS = Object.keys(speeds);
export const REGIONS = ['eu', 'us', 'asia'];

/** Takes a credential of its organization alone. */
export const OWNED = 'owned';
export const OWNED_MODEL = 'test/own';
/** The variable of the platform's credential for a provider that needs one. */
export const PLATFORM_KEY = 'STEADY_API_KEY';

/** By the operations that they are served on. */
export const MODELS: Readonly<Record<SimulatedOperation, readonly string[]>> = {
  chat_completions: [testModel, 'test/chat-only'],
  messages: [testModel],
  responses: [testModel],
  embeddings: [embeddingModel],
};

const generating = ['chat_completions', 'messages'] as const;
/** A provider's endpoints differ in all that a policy and a plan can ask for. */
const places = {
  swift: { provider: 'swift', region: 'eu', data_retention: 'zero', prices: { input: 30, output: 60.5 } },
  steady: { provider: 'steady', region: 'us', data_retention: 'retained', prices: { input: 20, output: 40 } },
  foreign: { provider: 'foreign', region: 'us', data_retention: 'zero', prices: { input: 10, output: 20 } },
  owned: { provider: OWNED, region: 'asia', data_retention: 'zero', prices: { input: 90, output: 90 } },
} as const;
const at = (provider: keyof typeof places, model: string, more: object = {}) => ({
  ...places[provider],
  model,
  upstream_model: provider,
  operations: generating,
  ...more,
});

/** @param url where `/<provider>/v1` is that provider. */
export const simulationCatalog = (url: string): CatalogDocument => ({
  providers: PROVIDERS.map((name) => ({
    name,
    protocol: name === 'foreign' ? 'anthropic' : 'openai',
    base_url: `${url}/${name}/v1`,
    ...(name === 'steady' ? { credential_env: PLATFORM_KEY } : {}),
    ...(name === OWNED ? { credential_env: 'NOBODY_SETS_THIS_API_KEY' } : {}),
  })),
  models: [testModel, 'test/chat-only', OWNED_MODEL, embeddingModel].map((id) => ({
    id,
    display_name: id,
    context_window: 200_000,
    ...(id === embeddingModel ? {} : { max_output_tokens: 8192 }),
  })),
  endpoints: [
    at('swift', testModel, { parameters: ['temperature', 'stop', 'tools'] }),
    at('steady', testModel, { operations: [...generating, 'responses'] }),
    at('foreign', testModel),
    at('owned', testModel),
    at('swift', 'test/chat-only', { operations: ['chat_completions'], parameters: ['top_p', 'seed'] }),
    at('steady', 'test/chat-only', { operations: ['chat_completions'], parameters: ['temperature'] }),
    at('owned', OWNED_MODEL),
    at('swift', embeddingModel, { operations: ['embeddings'], parameters: ['user'] }),
    at('steady', embeddingModel, { operations: ['embeddings'] }),
  ],
});

interface SampleBody {
  readonly path: string;
  bodyOf(prompt: string): object;
  /** Optional parameters with a value. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const messagesOf = (content: string) => [{ role: 'user', content }];

export const sampleBodies: Readonly<Record<SimulatedOperation, SampleBody>> = {
  chat_completions: {
    path: '/v1/chat/completions',
    bodyOf: (prompt) => ({ messages: messagesOf(prompt), max_tokens: 100 }),
    parameters: {
      temperature: 0.3,
      top_p: 0.8,
      seed: 42,
      stop: 'never said',
      presence_penalty: 0.2,
      logit_bias: { '15339': 5 },
      tools: [{ type: 'function', function: { name: 'unheard_of', parameters: schema } }],
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } },
      user: 'ada',
      colour: 'of no route',
    },
  },
  messages: {
    path: '/v1/messages',
    bodyOf: (prompt) => ({ messages: messagesOf(prompt), max_tokens: 100 }),
    parameters: {
      temperature: 0.3,
      top_k: 5,
      top_p: 0.8,
      stop_sequences: ['never said'],
      system: 'Be brief.',
      metadata: { user_id: 'ada' },
      tools: [{ name: 'unheard_of', input_schema: schema }],
    },
  },
  responses: {
    path: '/v1/responses',
    bodyOf: (prompt) => ({ input: prompt, max_output_tokens: 100 }),
    parameters: {
      temperature: 0.3,
      instructions: 'Be brief.',
      truncation: 'auto',
      max_tool_calls: 2,
      user: 'ada',
      tools: [{ type: 'function', name: 'unheard_of', parameters: schema, strict: true }],
      previous_response_id: 'resp_1',
    },
  },
  embeddings: {
    path: '/v1/embeddings',
    bodyOf: (prompt) => ({ input: prompt }),
    parameters: { dimensions: 8, user: 'ada', encoding_format: 'float' },
  },
};
