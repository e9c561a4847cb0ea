import { eachMessage, noFields, onlyValues, toolNames, type ChatRule } from '../chat-rules';
import { CompatibleRules } from '../compatible-rules';
import { listOf } from '../vendor-rules';

/**
 * Its parser refuses each name that it does not know. Those that it was seen to refuse: `frequency_penalty` and `presence_penalty`
 * (sleepydeer666/RPGBox#2), `seed` (Vali-98/ChatterUI#227), `store` (liliMozi/openhanako#394), `metadata` (ed-donner/agents#45),
 * `prompt_cache_key` (leookun/cursor-byok#112), `top_k` and `reasoning` (MinLL/SkyrimNet-GamePlugin#77).
 */
const UNKNOWN = [
  ...['frequency_penalty', 'presence_penalty', 'seed', 'store', 'metadata', 'prompt_cache_key'],
  ...['top_k', 'reasoning'],
];

/** System messages become `system_instruction`, and leave no contents: langchain-ai/langchain-google#1298. */
const withContents: ChatRule = ({ messages }) =>
  listOf(messages).every(({ role }) => role === 'system' || role === 'developer')
    ? '* GenerateContentRequest.contents: contents is not specified'
    : null;

/** coze-dev/coze-studio#46 */
const withParts = eachMessage(({ role, content, tool_calls: calls }, at) =>
  role !== 'tool' && calls == null && isEmpty(content)
    ? `* GenerateContentRequest.contents[${String(at)}].parts: contents.parts must not be empty.`
    : null,
);

const isEmpty = (content: unknown): boolean =>
  content == null ||
  content === '' ||
  (Array.isArray(content) && listOf(content).every(({ text }) => text === ''));

/** Gemini over its OpenAI-compatible API: https://ai.google.dev/gemini-api/docs/openai */
export const google = new CompatibleRules({
  status: 400,
  rules: [
    noFields(UNKNOWN, (name) => `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`),
    withContents,
    withParts,
    // The page above: reasoning_effort.
    onlyValues(
      'reasoning_effort',
      ['none', 'minimal', 'low', 'medium', 'high'],
      (value) => `Invalid reasoning_effort: ${String(value)}`,
    ),
    // https://ai.google.dev/api/caching#FunctionDeclaration
    toolNames(
      /^[A-Za-z_][\w.:-]{0,63}$/,
      (_name, at) =>
        `GenerateContentRequest.tools[0].function_declarations[${String(at)}].name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`,
    ),
  ],
  errorBody: ({ message, status }) => [{ error: { code: status, message, status: 'INVALID_ARGUMENT' } }],
});
