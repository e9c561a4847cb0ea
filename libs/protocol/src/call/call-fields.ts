import { anEmbeddingInput } from './embedding-input';
import { type CallRoute, type Operation } from './operation';
import {
  aBoolean,
  aCount,
  aNonEmptyArray,
  aNonEmptyString,
  aNumber,
  anArray,
  anArrayOfStrings,
  anInteger,
  anObject,
  aPositiveInteger,
  aString,
  either,
  oneOf,
  type ValueKind,
} from './value-kind';

type CallFields = Readonly<Record<string, ValueKind>>;

/** Fields that only this service has. */
const ownFields = { compat_mode: oneOf('permissive', 'strict') };

/**
 * The fields of OpenAI's chat-completions request, with deprecated ones
 * (docs/reference/inference-and-compatibility.md#chat-completions).
 */
const chatCompletionsFields: CallFields = {
  ...ownFields,
  max_output_tokens: aPositiveInteger,
  model: aNonEmptyString,
  messages: aNonEmptyArray,
  audio: anObject,
  frequency_penalty: aNumber,
  function_call: either(aString, anObject),
  functions: anArray,
  logit_bias: anObject,
  logprobs: aBoolean,
  max_completion_tokens: aPositiveInteger,
  max_tokens: aPositiveInteger,
  metadata: anObject,
  modalities: anArrayOfStrings,
  moderation: anObject,
  n: aPositiveInteger,
  parallel_tool_calls: aBoolean,
  prediction: anObject,
  presence_penalty: aNumber,
  prompt_cache_key: aString,
  prompt_cache_options: anObject,
  prompt_cache_retention: aString,
  reasoning_effort: aString,
  response_format: anObject,
  safety_identifier: aString,
  seed: anInteger,
  service_tier: aString,
  stop: either(aString, anArrayOfStrings),
  store: aBoolean,
  stream: aBoolean,
  stream_options: anObject,
  temperature: aNumber,
  tool_choice: either(aString, anObject),
  tools: anArray,
  top_logprobs: aCount,
  top_p: aNumber,
  user: aString,
  verbosity: aString,
  web_search_options: anObject,
};

/**
 * The fields of Anthropic's messages request, with beta ones and those that only earlier clients send
 * (docs/reference/inference-and-compatibility.md#messages). Left out on purpose, because they choose a provider or an
 * account: `fallbacks` (runs another model than the planned and priced one), `billing_policy` and
 * `fallback_credit_token` (choose whom the provider bills), `thread` (a prompt stored in the provider's account, which
 * organizations share and no hold can measure).
 */
const messagesFields: CallFields = {
  ...ownFields,
  // 0 fills the provider's prompt cache without generating an answer.
  max_output_tokens: aCount,
  max_tokens: aCount,
  model: aNonEmptyString,
  messages: aNonEmptyArray,
  cache_control: anObject,
  compaction: anObject,
  container: either(aString, anObject),
  context_management: anObject,
  diagnostics: anObject,
  inference_geo: aString,
  mcp_servers: anArray,
  metadata: anObject,
  output_config: anObject,
  output_format: anObject,
  service_tier: aString,
  speed: aString,
  stop_sequences: anArrayOfStrings,
  stream: aBoolean,
  system: either(aString, anArray),
  temperature: aNumber,
  thinking: anObject,
  tool_choice: anObject,
  tools: anArray,
  top_k: anInteger,
  top_p: aNumber,
};

/**
 * The fields of OpenAI's responses request, with deprecated ones and those that {@link checkContent} refuses with a reason
 * (docs/reference/inference-and-compatibility.md#responses).
 */
const responsesFields: CallFields = {
  ...ownFields,
  max_output_tokens: aPositiveInteger,
  model: aNonEmptyString,
  access_programs: anObject,
  background: aBoolean,
  // Not in OpenAI's reference: Codex sends it with every call.
  client_metadata: anObject,
  context_management: anArray,
  conversation: either(aString, anObject),
  image: anObject,
  include: anArrayOfStrings,
  input: either(aString, aNonEmptyArray),
  instructions: aString,
  max_tool_calls: aCount,
  metadata: anObject,
  moderation: anObject,
  parallel_tool_calls: aBoolean,
  previous_response_id: aString,
  prompt: anObject,
  prompt_cache_key: aString,
  prompt_cache_options: anObject,
  prompt_cache_retention: aString,
  reasoning: anObject,
  safety_identifier: aString,
  service_tier: aString,
  store: aBoolean,
  stream: aBoolean,
  stream_options: anObject,
  temperature: aNumber,
  text: anObject,
  tool_choice: either(aString, anObject),
  tools: anArray,
  top_logprobs: aCount,
  top_p: aNumber,
  truncation: aString,
  user: aString,
};

/** The fields of OpenAI's embeddings request (docs/reference/inference-and-compatibility.md#embeddings). */
const embeddingsFields: CallFields = {
  ...ownFields,
  model: aNonEmptyString,
  input: anEmbeddingInput,
  dimensions: aPositiveInteger,
  encoding_format: oneOf('float', 'base64'),
  user: aString,
};

/** A count has no output to limit. Anthropic refuses a limit there too. */
const { max_output_tokens: _own, max_tokens: _limit, ...countTokensFields } = messagesFields;

/** Every top-level field of a route with its type. Any other field is refused, never forwarded. */
export const callFields: Readonly<Record<CallRoute, ReadonlyMap<string, ValueKind>>> = {
  chat_completions: new Map(Object.entries(chatCompletionsFields)),
  messages: new Map(Object.entries(messagesFields)),
  responses: new Map(Object.entries(responsesFields)),
  embeddings: new Map(Object.entries(embeddingsFields)),
  count_tokens: new Map(Object.entries(countTokensFields)),
};

/**
 * The fields without which a route refuses a body, in the order in which they are asked for. `max_output_tokens` stands
 * for `max_tokens`.
 */
export const requiredFields: Readonly<Record<CallRoute, readonly string[]>> = {
  chat_completions: ['model', 'messages'],
  messages: ['model', 'messages', 'max_tokens'],
  // `checkContent` asks for `input`, once it is known that nothing else stands for it.
  responses: ['model'],
  embeddings: ['model', 'input'],
  count_tokens: ['model', 'messages'],
};

/** Names of the output limit, the service's own first. */
export const outputLimitFields: Readonly<Record<Operation, readonly string[]>> = {
  chat_completions: ['max_output_tokens', 'max_completion_tokens', 'max_tokens'],
  messages: ['max_output_tokens', 'max_tokens'],
  responses: ['max_output_tokens'],
  embeddings: [],
};

/** The caller's own name of its output limit; null where it set none. */
export const outputLimitParam = (
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
): string | null => outputLimitFields[operation].find((name) => (body[name] ?? null) !== null) ?? null;

const textOrParts = either(aString, anArray);
const optionalTextOrParts: ValueKind = {
  name: `${textOrParts.name} or null`,
  accepts: (content) => content === undefined || content === null || textOrParts.accepts(content),
};

/** The roles of a route's messages, each with the type of its `content`. */
export const messageContents: Readonly<
  Record<'chat_completions' | 'messages', ReadonlyMap<unknown, ValueKind>>
> = {
  chat_completions: new Map([
    ['developer', textOrParts],
    ['system', textOrParts],
    ['user', textOrParts],
    ['assistant', optionalTextOrParts],
    ['tool', textOrParts],
    ['function', optionalTextOrParts],
  ]),
  messages: new Map([
    ['user', textOrParts],
    ['assistant', textOrParts],
    ['system', textOrParts],
  ]),
};
