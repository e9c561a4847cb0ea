import {
  atMost,
  eachMessage,
  onlyRoles,
  onlyValues,
  reasoningOfCalls,
  toolNames,
  withParameters,
  type ChatRule,
} from '../chat-rules';
import { CompatibleRules } from '../compatible-rules';

const STOP_BYTES_MAX = 32;

const stops: ChatRule = ({ stop }) =>
  [stop].flat().some((text) => typeof text === 'string' && Buffer.byteLength(text) > STOP_BYTES_MAX)
    ? `stop: each string must not exceed ${String(STOP_BYTES_MAX)} bytes`
    : null;

const fixed = (field: string, value: number): ChatRule =>
  onlyValues(field, [value], () => `invalid ${field}: only ${String(value)} is allowed for this model`);

/**
 * Of Kimi K2.6: https://platform.kimi.ai/docs/api/chat and its OpenAPI document (`ChatRequestBase`, `ToolDefinition`), and the fixed
 * parameters of https://platform.kimi.ai/docs/api/models-overview
 */
export const moonshot = new CompatibleRules({
  status: 400,
  rules: [
    onlyRoles(['system', 'user', 'assistant', 'tool'], (role) => `Invalid request: invalid role ${role}`),
    eachMessage(({ role, content }) => (content === '' && role !== 'tool' ? 'text content is empty' : null)),
    toolNames(
      /^[a-zA-Z_][a-zA-Z0-9-_]{2,63}$/,
      () =>
        'Invalid request: function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes',
    ),
    withParameters(() => 'Invalid request: tools.function.parameters is required'),
    fixed('temperature', 1),
    fixed('top_p', 0.95),
    fixed('n', 1),
    fixed('presence_penalty', 0),
    fixed('frequency_penalty', 0),
    // UKGovernmentBEIS/inspect_ai#5152
    onlyValues(
      'tool_choice',
      ['none', 'auto'],
      (choice) =>
        `tool_choice '${typeof choice === 'string' ? choice : 'specified'}' is incompatible with thinking enabled`,
    ),
    // https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model, in the words that continuedev/continue#11600 quotes.
    reasoningOfCalls(
      (at) =>
        `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${String(at)}`,
    ),
    atMost('stop', 5),
    stops,
    atMost('tools', 128),
  ],
  errorBody: ({ message }) => ({ error: { message, type: 'invalid_request_error' } }),
});
