import { atMost, onlyRoles, onlyValues, reasoningOfCalls, type ChatRule } from '../chat-rules';
import { CompatibleRules } from '../compatible-rules';

const ROLES = ['system', 'user', 'assistant', 'tool', 'latest_reminder'];
const shown = ROLES.map((role) => `\`${role}\``).join(', ');

/** https://api-docs.deepseek.com/api/create-chat-completion: `text` or `json_object`. */
const formats: ChatRule = ({ response_format: format }) => {
  const { type } = (format ?? {}) as { type?: unknown };
  return type === undefined || type === 'text' || type === 'json_object'
    ? null
    : 'This response_format type is unavailable now';
};

/** Of its models, which think unless they are told not to: https://api-docs.deepseek.com/guides/thinking_mode */
export const deepseek = new CompatibleRules({
  status: 400,
  rules: [
    // The words of the server, which decolua/9router#773 quotes.
    onlyRoles(
      ROLES,
      (role, at) =>
        `Failed to deserialize the JSON body into the target type: messages[${String(at)}].role: unknown variant \`${role}\`, expected one of ${shown}`,
    ),
    // The guide above: "the API will return a 400 error".
    reasoningOfCalls(() => 'The `reasoning_content` in the thinking mode must be passed back to the API.'),
    // deepseek-ai/DeepSeek-V3#1376
    onlyValues('tool_choice', ['none', 'auto'], () => 'Thinking mode does not support this tool_choice'),
    formats,
    // The reference of create-chat-completion.
    atMost('stop', 16),
    atMost('temperature', 2),
    atMost('top_logprobs', 20),
    ({ logprobs, top_logprobs: top }) =>
      top != null && logprobs !== true ? 'top_logprobs requires logprobs to be true' : null,
  ],
  errorBody: ({ message }) => ({
    error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
  }),
});
