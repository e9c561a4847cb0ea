import {
  atMost,
  eachFunction,
  eachMessage,
  onlyFields,
  onlyMembers,
  onlyRoles,
  onlyValues,
  withParameters,
  type ChatRule,
} from '../chat-rules';
import { CompatibleRules } from '../compatible-rules';
import { listOf, type Body } from '../vendor-rules';

/** Every object of `ChatCompletionRequest` is closed (`additionalProperties: false`): mistralai/platform-docs-public, openapi.yaml. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'temperature', 'top_p', 'max_tokens', 'stream', 'stop', 'random_seed', 'metadata'],
  ...['response_format', 'tools', 'tool_choice', 'presence_penalty', 'frequency_penalty', 'n', 'prediction'],
  ...[
    'parallel_tool_calls',
    'prompt_mode',
    'reasoning_effort',
    'guardrails',
    'prompt_cache_key',
    'safe_prompt',
  ],
]);
/** `EmbeddingRequest` of the same document, closed too. */
const EMBEDDING_FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'input', 'metadata', 'output_dimension', 'output_dtype', 'encoding_format'],
]);
const MEMBERS = {
  system: ['content'],
  user: ['content'],
  assistant: ['content', 'tool_calls', 'prefix'],
  tool: ['content', 'tool_call_id', 'name'],
};
const FUNCTION_MEMBERS = ['name', 'description', 'strict', 'parameters'];
const extra = (place: string) => `body.${place}: Extra inputs are not permitted`;

/** "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9": mistralai/mistral-common, protocol/instruct/validator.py. */
const callIds: ChatRule = eachMessage(({ tool_call_id: answered, tool_calls: calls }) => {
  const ids = [answered, ...listOf(calls).map(({ id }) => id)].filter((id) => id != null).map(String);
  const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
  return wrong === undefined
    ? null
    : `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`;
});

/** Which roles may follow each, and which may end a conversation: `_validate_message_order` and `_validate_last_message` there. */
const messageOrder: ChatRule = ({ messages }) => {
  const roles = listOf(messages).map(({ role }) => String(role));
  const late = roles.findIndex(
    (role, at) => role === 'system' && ['assistant', 'tool'].includes(roles[at - 1] ?? ''),
  );
  if (late !== -1) return `Unexpected role 'system' after role '${roles[late - 1] ?? ''}'`;
  const last = listOf(messages).at(-1);
  return last?.role !== 'assistant' || last.prefix === true
    ? null
    : 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant';
};

const closedFunctions: ChatRule = eachFunction((definition, at) => {
  const unknown = Object.keys(definition).find((name) => !FUNCTION_MEMBERS.includes(name));
  return unknown === undefined ? null : extra(`tools.${String(at)}.function.${unknown}`);
});

/** `EmbeddingRequest.input` is a text or a list of texts. */
const textInput: ChatRule = ({ input }) => {
  const wrong = listOf(input).findIndex((each) => typeof each !== 'string');
  return wrong === -1 ? null : `body.input.${String(wrong)}: Input should be a valid string`;
};

/** Usage comes in every stream: mistralai/platform-docs-public, openapi.yaml, `CompletionChunk.usage`. */
const withUsage = (body: Body): Body =>
  body.stream === true ? { ...body, stream_options: { include_usage: true } } : body;

export const mistral = new CompatibleRules({
  status: 422,
  rules: [
    onlyFields(FIELDS, extra),
    onlyRoles(
      Object.keys(MEMBERS),
      (role, at) =>
        `body.messages.${String(at)}: Input tag '${role}' found using 'role' does not match any of the expected tags: 'system', 'user', 'assistant', 'tool'`,
    ),
    onlyMembers(MEMBERS, (at, role, name) => extra(`messages.${String(at)}.${role}.${name}`)),
    withParameters((at) => `body.tools.${String(at)}.function.parameters: Field required`),
    closedFunctions,
    callIds,
    messageOrder,
    onlyValues(
      'reasoning_effort',
      ['high', 'none'],
      () => `body.reasoning_effort: Input should be 'high' or 'none'`,
    ),
    atMost('temperature', 1.5, 'body.temperature: Input should be less than or equal to 1.5'),
  ],
  embeddingRules: [
    onlyFields(EMBEDDING_FIELDS, extra),
    textInput,
    onlyValues(
      'encoding_format',
      ['float', 'base64'],
      () => `body.encoding_format: Input should be 'float' or 'base64'`,
    ),
  ],
  errorBody: ({ message }) => {
    const [, loc, msg] = /^(body\.\S+): (.*)$/.exec(message) ?? [];
    const detail = [{ type: 'extra_forbidden', loc: loc?.split('.'), msg }];
    const error = { object: 'error', type: 'invalid_request_error', param: null, code: null };
    return { ...error, message: loc === undefined ? message : { detail } };
  },
  asked: withUsage,
});
