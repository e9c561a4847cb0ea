import { type Operation } from './operation';

/** Fields with the same usual value on every route that has them. */
const shared = {
  frequency_penalty: 0.5,
  inference_geo: 'us',
  max_completion_tokens: 4096,
  max_output_tokens: 4096,
  max_tokens: 4096,
  mcp_servers: [{ type: 'url', name: 'docs', url: 'https://mcp.example/sse' }],
  metadata: { user_id: 'user-1' },
  moderation: { model: 'omni-moderation-latest' },
  parallel_tool_calls: false,
  presence_penalty: 0.5,
  prompt_cache_key: 'key-1',
  prompt_cache_options: { mode: 'explicit' },
  prompt_cache_retention: '24h',
  safety_identifier: 'user-1',
  seed: 1,
  service_tier: 'auto',
  stream: true,
  temperature: 0.5,
  top_logprobs: 2,
  top_p: 0.9,
  user: 'user-1',
};

/** A schema that every provider can guarantee: all properties are required, and no others are allowed. */
const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const weather = { name: 'weather', description: 'The weather in a city.' };
const jsonSchema = { type: 'json_schema', name: 'answer', schema, strict: true };

const chatCompletions = {
  ...shared,
  audio: { voice: 'alloy', format: 'wav' },
  function_call: 'auto',
  functions: [{ ...weather, parameters: schema }],
  logit_bias: { '50256': -100 },
  logprobs: true,
  modalities: ['text', 'audio'],
  n: 2,
  prediction: { type: 'content', content: 'Hello' },
  reasoning_effort: 'medium',
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
  stop: ['END'],
  store: true,
  stream_options: { include_usage: true },
  tool_choice: 'auto',
  tools: [{ type: 'function', function: { ...weather, parameters: schema } }],
  verbosity: 'low',
  web_search_options: {},
};

const messages = {
  ...shared,
  cache_control: { type: 'ephemeral' },
  compaction: { enabled: true },
  container: 'container-1',
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  diagnostics: { enabled: true },
  output_config: { effort: 'medium' },
  output_format: { type: 'json_schema', schema },
  speed: 'fast',
  stop_sequences: ['END'],
  system: 'Be brief.',
  thinking: { type: 'adaptive' },
  tool_choice: { type: 'auto' },
  tools: [{ ...weather, input_schema: schema }],
  top_k: 40,
};

const responses = {
  ...shared,
  access_programs: { programs: ['program-1'] },
  background: true,
  client_metadata: { client: 'client-1' },
  context_management: [{ type: 'compaction', compact_threshold: 1000 }],
  conversation: 'conv-1',
  image: { detail: 'high' },
  include: ['reasoning.encrypted_content'],
  instructions: 'Be brief.',
  max_tool_calls: 3,
  previous_response_id: 'resp-1',
  prompt: { id: 'pmpt-1' },
  reasoning: { effort: 'medium' },
  store: false,
  stream_options: { include_obfuscation: false },
  text: { format: jsonSchema },
  tool_choice: 'auto',
  tools: [{ type: 'function', ...weather, parameters: schema, strict: true }],
  truncation: 'auto',
};

const embeddings = { dimensions: 256, encoding_format: 'float', user: 'user-1' };

const values = (fields: object): ReadonlyMap<string, unknown> => new Map(Object.entries(fields));

/** A value that callers usually give each field of a route: valid, and not the default. */
export const usualValues: Readonly<Record<Operation, ReadonlyMap<string, unknown>>> = {
  chat_completions: values(chatCompletions),
  messages: values(messages),
  responses: values(responses),
  embeddings: values(embeddings),
};
