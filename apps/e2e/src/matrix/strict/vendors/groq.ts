import { atMost, noFields, onlyFields, onlyMembers, onlyValues, toolNames } from '../chat-rules';
import { CompatibleRules } from '../compatible-rules';

/** Those of `ChatCompletionCreateParamsBase` in groq-sdk (groq/groq-typescript), and `stream_options` of the API reference. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['messages', 'model', 'citation_options', 'compound_custom', 'disable_tool_validation', 'documents'],
  ...[
    'exclude_domains',
    'frequency_penalty',
    'function_call',
    'functions',
    'include_domains',
    'include_reasoning',
  ],
  ...[
    'logit_bias',
    'logprobs',
    'max_completion_tokens',
    'max_tokens',
    'metadata',
    'n',
    'parallel_tool_calls',
  ],
  ...[
    'presence_penalty',
    'reasoning_effort',
    'reasoning_format',
    'response_format',
    'search_settings',
    'seed',
  ],
  ...['service_tier', 'stop', 'store', 'stream', 'stream_options', 'temperature', 'tool_choice', 'tools'],
  ...['top_logprobs', 'top_p', 'user'],
]);
/** The message types of groq-sdk, without `name`: https://console.groq.com/docs/openai */
const MEMBERS = {
  system: ['content'],
  developer: ['content'],
  user: ['content'],
  assistant: ['content', 'function_call', 'reasoning', 'tool_calls'],
  tool: ['content', 'tool_call_id'],
};
const unsupported = (name: string) => `property '${name}' is unsupported`;

export const groq = new CompatibleRules({
  status: 400,
  rules: [
    onlyFields(FIELDS, unsupported),
    // https://console.groq.com/docs/openai: "will result in a 400 error".
    noFields(['logprobs', 'logit_bias', 'top_logprobs'], unsupported),
    onlyValues('n', [1], () => "'n' : must be equal to 1"),
    onlyMembers(
      MEMBERS,
      (at, role, name) =>
        `'messages.${String(at)}' : for 'role:${role}' the following must be satisfied[('messages.${String(at)}' : property '${name}' is unsupported)]`,
    ),
    // The comments of the types above.
    onlyValues(
      'service_tier',
      ['auto', 'on_demand', 'flex', 'performance'],
      () => "'service_tier' : value is not one of the allowed values",
    ),
    toolNames(
      /^[\w-]{1,64}$/,
      (_name, at) => `'tools.${String(at)}.function.name' : string length must be less than or equal to 64`,
    ),
    atMost('tools', 128),
    atMost('stop', 4),
    atMost('temperature', 2),
  ],
  errorBody: ({ message }) => ({ error: { message, type: 'invalid_request_error' } }),
});
