import { AnthropicRules } from './anthropic-rules';
import { OpenAiRules } from './openai-rules';
import { type Body, type VendorRules } from './vendor-rules';

const tool = { name: 'get_weather', input_schema: { type: 'object' } };
const parameters = { type: 'object', properties: {} };
const functionTool = { type: 'function', function: { name: 'get_weather', parameters } };
const picture = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
const user = { role: 'user', content: 'Hello' };
const toolUse = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }],
};
const toolResult = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sunny' }],
};
const toolCalls = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
};
const toolMessage = { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' };
const strictFormat = (schema: object) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema } },
});

describe('the rules of OpenAI', () => {
  const rules = new OpenAiRules();
  const verdict = verdictBy(rules, '/chat/completions', { authorization: 'Bearer sk-1' });
  const call = { model: 'gpt-5', messages: [user] };

  it.each<[string, Body]>([
    ['a plain call', call],
    ['a stream with its usage', { ...call, stream: true, stream_options: { include_usage: true } }],
    ['tools and their results', { ...call, tools: [functionTool], messages: [user, toolCalls, toolMessage] }],
    ['a model that the SDK does not know', { ...call, model: 'gpt-100' }],
    [
      'a picture',
      {
        ...call,
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
          },
        ],
      },
    ],
  ])('take %s', (_, body) => {
    expect(verdict(body)).toBeNull();
  });

  it.each<[Body, RegExp]>([
    [{ model: 'gpt-5' }, /^Missing required parameter: 'messages'\.$/],
    [{ ...call, messages: [] }, /^Invalid 'messages': empty array/],
    [{ ...call, compat_mode: 'strict' }, /^Unrecognized request argument supplied: compat_mode$/],
    [{ ...call, svc: {} }, /supplied: svc$/],
    [{ ...call, max_output_tokens: 5 }, /supplied: max_output_tokens$/],
    [
      { ...call, messages: [{ ...user, cache_control: {} }] },
      /^Unknown parameter: 'messages\[0\]\.cache_control'/,
    ],
    [
      { ...call, messages: [{ role: 'robot', content: 'Hi' }] },
      /^Invalid value: 'robot'\. Supported values are: 'developer', /,
    ],
    [
      { ...call, messages: [{ role: 'user', content: [{ type: 'image', source: picture }] }] },
      /^Invalid value: 'image'/,
    ],
    [{ ...call, messages: [{ role: 'user', content: 5 }] }, /^Invalid type for 'messages\[0\]\.content'/],
    [{ ...call, temperature: '1' }, /^Invalid type for 'temperature'/],
    [{ ...call, temperature: 3 }, /^Invalid 'temperature': decimal above maximum value/],
    [{ ...call, max_tokens: 5 }, /^Unsupported parameter: 'max_tokens' is not supported with this model/],
    [{ ...call, max_tokens: 5, max_completion_tokens: 5 }, /at the same time is not supported/],
    [{ ...call, stream_options: { include_usage: true } }, /only allowed when 'stream' is enabled/],
    [{ ...call, tool_choice: 'auto' }, /^'tool_choice' is only allowed when 'tools' are specified/],
    [{ ...call, tools: [] }, /^Invalid 'tools': empty array/],
    [
      { ...call, tools: [{ type: 'function', function: { name: 'x'.repeat(65) } }] },
      /^Invalid 'tools\[0\]\.function\.name': string too long/,
    ],
    [
      { ...call, tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }] },
      /object schema missing properties\.$/,
    ],
    [{ ...call, tools: [tool] }, /^Missing required parameter: 'tools\[0\]\.type'|^Invalid/],
    [{ ...call, messages: [user, toolCalls] }, /did not have response messages: call_1$/],
    [
      { ...call, messages: [user, toolMessage] },
      /must be a response to a preceeding message with 'tool_calls'/,
    ],
    [{ ...call, stop: ['a', 'b', 'c', 'd', 'e'] }, /^Invalid 'stop': array too long/],
    [{ ...call, metadata: { a: 'b' } }, /only allowed when 'store' is enabled/],
    [{ ...call, response_format: { type: 'json_object' } }, /must contain the word 'json'/],
    [
      { ...call, ...strictFormat({ type: 'object', properties: {} }) },
      /'additionalProperties' is required to be supplied/,
    ],
    [
      { ...call, ...strictFormat({ type: 'object', properties: { a: {} }, additionalProperties: false }) },
      /Missing 'a'\.$/,
    ],
  ])('refuse %j', (body, message) => {
    expect(verdict(body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  it('refuse a call without a key', () => {
    expect(rules.refuse({ path: '/chat/completions', headers: {}, body: call })?.status).toBe(401);
  });
});

describe('the rules of OpenAI on responses', () => {
  const rules = new OpenAiRules();
  const verdict = verdictBy(rules, '/responses', { authorization: 'Bearer sk-1' });
  const call = { model: 'gpt-5', input: 'Hello', store: false };
  const looseTool = { type: 'function', name: 'get_weather', parameters: { type: 'object' } };
  const flatTool = { ...looseTool, strict: false };
  const functionCall = { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{}' };
  const functionOutput = { type: 'function_call_output', call_id: 'call_1', output: 'Sunny' };
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
  const strictText = (schema: object) => ({
    text: { format: { type: 'json_schema', name: 'city', strict: true, schema } },
  });

  it.each<[string, Body]>([
    ['a plain call', call],
    ['a stream', { ...call, stream: true, stream_options: { include_obfuscation: false } }],
    ['tools and their results', { ...call, tools: [flatTool], input: [user, functionCall, functionOutput] }],
    ['a tool that does not say whether it is strict', { ...call, tools: [looseTool] }],
    ['encrypted reasoning', { ...call, input: [user, { ...reasoning, encrypted_content: 'x' }, user] }],
    [
      'what Codex adds',
      {
        ...call,
        client_metadata: { turn_id: '1' },
        input: [
          { ...user, id: 'msg_1' },
          { ...reasoning, content: null, encrypted_content: 'x' },
        ],
      },
    ],
    [
      'an earlier answer without its id',
      {
        ...call,
        input: [user, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
      },
    ],
    [
      'a picture',
      {
        ...call,
        input: [
          { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
        ],
      },
    ],
  ])('take %s', (_, body) => {
    expect(verdict(body)).toBeNull();
  });

  it.each<[Body, RegExp]>([
    [{ input: 'Hello' }, /^Missing required parameter: 'model'\.$/],
    [{ model: 'gpt-5' }, /^One of "input"/],
    [{ ...call, input: [] }, /^Invalid 'input': empty array/],
    [{ ...call, messages: [user] }, /supplied: messages$/],
    [{ ...call, svc: {} }, /supplied: svc$/],
    [{ ...call, compat_mode: 'strict' }, /supplied: compat_mode$/],
    [{ ...call, response_format: { type: 'text' } }, /supplied: response_format$/],
    [{ ...call, input: [{ role: 'tool', content: 'Hi' }] }, /^Unknown parameter: 'input\[0\]\.role'/],
    [{ ...call, input: [{ ...user, name: 'Ann' }] }, /^Unknown parameter: 'input\[0\]\.name'/],
    [
      { ...call, input: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      /^Invalid value: 'image_url'/,
    ],
    [{ ...call, tools: [functionTool] }, /'tools\[0\]\.(name|parameters)'/],
    [{ ...call, input: [user, functionCall] }, /^No tool output found for function call call_1/],
    [{ ...call, input: [user, functionOutput] }, /^No tool call found .* call_1/],
    [{ ...call, input: [user, reasoning] }, /^Item with id 'rs_1' not found/],
    [{ ...call, max_output_tokens: 15 }, /^Invalid 'max_output_tokens'/],
    [{ ...call, temperature: 3 }, /^Invalid 'temperature'/],
    [{ ...call, stream_options: {} }, /only allowed when 'stream' is enabled/],
    [{ ...call, text: { format: { type: 'json_object' } } }, /must contain the word 'json'/],
    [{ ...call, ...strictText({ type: 'object', properties: {} }) }, /'additionalProperties' is required/],
    [
      { ...call, tools: [{ ...flatTool, strict: true, parameters: { type: 'object' } }] },
      /'additionalProperties' is required/,
    ],
  ])('refuse %j', (body, message) => {
    expect(verdict(body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });
});

describe('the rules of OpenAI on embeddings', () => {
  const verdict = verdictBy(new OpenAiRules(), '/embeddings', { authorization: 'Bearer sk-1' });
  const call = { model: 'text-embedding-3-small', input: 'Hello' };

  it.each<[string, Body]>([
    ['a text', call],
    ['texts', { ...call, input: ['a', 'b'] }],
    ['tokens', { ...call, input: [1, 2] }],
    ['lists of tokens', { ...call, input: [[1], [2, 3]] }],
    ['every parameter', { ...call, dimensions: 8, encoding_format: 'base64', user: 'u' }],
  ])('take %s', (_, body) => {
    expect(verdict(body)).toBeNull();
  });

  it.each<[Body, RegExp]>([
    [{ model: 'm' }, /^Missing required parameter: 'input'/],
    [{ ...call, input: [] }, /empty array/],
    [{ ...call, input: '' }, /cannot be an empty string/],
    [{ ...call, input: ['a', ''] }, /cannot be an empty string/],
    [{ ...call, input: [[]] }, /empty array/],
    [{ ...call, input: Array<string>(2049).fill('a') }, /array too long/],
    [{ ...call, input: ['a', 1] }, /^Invalid/],
    [{ ...call, dimensions: 0 }, /^Invalid 'dimensions'/],
    [{ ...call, encoding_format: 'int8' }, /'encoding_format'/],
    [{ ...call, stream: true }, /supplied: stream$/],
    [{ ...call, svc: {} }, /supplied: svc$/],
  ])('refuse %j', (body, message) => {
    expect(verdict(body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });
});

describe('the rules of Anthropic', () => {
  const rules = new AnthropicRules();
  const headers = { 'x-api-key': 'sk-ant-1', 'anthropic-version': '2023-06-01' };
  const verdict = verdictBy(rules, '/messages', headers);
  const call = { model: 'claude-5', max_tokens: 50, messages: [user] };

  it.each<[string, Body]>([
    ['a plain call', call],
    ['tools and their results', { ...call, tools: [tool], messages: [user, toolUse, toolResult] }],
    ['two turns of the same role', { ...call, messages: [user, user] }],
    ['a picture', { ...call, messages: [{ role: 'user', content: [{ type: 'image', source: picture }] }] }],
    [
      'a budget for thinking',
      { ...call, max_tokens: 3000, thinking: { type: 'enabled', budget_tokens: 2000 } },
    ],
  ])('take %s', (_, body) => {
    expect(verdict(body)).toBeNull();
  });

  it.each<[Body, RegExp]>([
    [{ model: 'claude-5', messages: [user] }, /^max_tokens: Field required$/],
    [{ ...call, messages: [] }, /^messages: at least one message is required$/],
    [{ ...call, compat_mode: 'strict' }, /^compat_mode: Extra inputs are not permitted$/],
    [{ ...call, max_output_tokens: 5 }, /^max_output_tokens: Extra inputs are not permitted$/],
    [{ ...call, context_management: { edits: [] } }, /^context_management: Extra inputs are not permitted$/],
    [
      { ...call, messages: [{ ...user, name: 'Ann' }] },
      /^messages\.0\.name: Extra inputs are not permitted$/,
    ],
    [
      { ...call, messages: [{ role: 'robot', content: 'Hi' }] },
      /^messages\.0\.role: Input should be 'user' or 'assistant'/,
    ],
    [{ ...call, messages: [{ role: 'tool', content: 'Hi' }] }, /^messages\.0\.role: Input should be/],
    [
      { ...call, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      /^messages\.0\.content\.0: Input tag 'image_url' found using 'type' does not match/,
    ],
    [
      { ...call, messages: [{ role: 'user', content: '' }] },
      /^messages\.0: all messages must have non-empty content/,
    ],
    [
      { ...call, messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      /text content blocks must be non-empty$/,
    ],
    [{ ...call, messages: [{ role: 'assistant', content: 'Hi' }] }, /first message must use the "user" role/],
    [
      { ...call, messages: [user, { role: 'assistant', content: 'Well, ' }] },
      /cannot end with trailing whitespace/,
    ],
    [{ ...call, messages: [user, toolUse] }, /without `tool_result` blocks immediately after: toolu_1/],
    [{ ...call, messages: [user, toolUse, user] }, /without `tool_result` blocks immediately after: toolu_1/],
    [{ ...call, messages: [toolResult] }, /unexpected `tool_use_id` found in `tool_result` blocks: toolu_1/],
    [
      {
        ...call,
        messages: [
          user,
          toolUse,
          { role: 'user', content: [{ type: 'text', text: 'So:' }, ...toolResult.content] },
        ],
      },
      /`tool_result` blocks must come before/,
    ],
    [{ ...call, tools: [functionTool] }, /^tools\.0/],
    [{ ...call, tools: [{ ...tool, name: 'get weather' }] }, /should match pattern/],
    [{ ...call, tool_choice: { type: 'auto' } }, /only be specified while providing tools/],
    [{ ...call, temperature: 1.5 }, /^temperature: range: 0\.\.1$/],
    [
      {
        ...call,
        messages: [
          user,
          {
            role: 'assistant',
            content: [{ type: 'thinking', thinking: 'Hm', signature: 'reasoning_content' }],
          },
          user,
        ],
      },
      /^messages\.1\.content\.0: Invalid `signature`/,
    ],
    [
      {
        ...call,
        output_config: { format: { type: 'json_schema', schema: { type: 'integer', minimum: 1 } } },
      },
      /property 'minimum' is not supported$/,
    ],
    [
      { ...call, tools: [{ ...tool, strict: true }] },
      /'additionalProperties' must be explicitly set to false$/,
    ],
    [{ ...call, thinking: { type: 'enabled', budget_tokens: 100 } }, /greater than or equal to 1024/],
    [{ ...call, thinking: { type: 'enabled', budget_tokens: 2000 } }, /^`max_tokens` must be greater than/],
  ])('refuse %j', (body, message) => {
    expect(verdict(body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  it('take a beta field with the header of betas only', () => {
    const body = { ...call, context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
    const beta = { ...headers, 'anthropic-beta': 'context-management-2025-06-27' };
    expect(verdictBy(rules, '/messages', beta)(body)).toBeNull();
    expect(verdict(body)?.message).toBe('context_management: Extra inputs are not permitted');
  });

  it('want a key, a version and a known path', () => {
    expect(verdictBy(rules, '/messages', {})(call)?.status).toBe(401);
    expect(verdictBy(rules, '/messages', { 'x-api-key': 'sk' })(call)?.message).toMatch(/^anthropic-version/);
    const version = (name: string) => ({ ...headers, 'anthropic-version': name });
    expect(verdictBy(rules, '/messages', version('2026-10-21'))(call)).toBeNull();
    expect(verdictBy(rules, '/messages', version('2020-01-01'))(call)?.message).toMatch(
      /not a valid version/,
    );
    expect(verdictBy(rules, '/complete', headers)(call)?.status).toBe(404);
    const { max_tokens: _limit, ...counted } = call;
    expect(verdictBy(rules, '/messages/count_tokens', headers)(counted)).toBeNull();
    expect(verdictBy(rules, '/messages/count_tokens', headers)(call)?.message).toMatch(/^max_tokens: Extra/);
  });
});

function verdictBy(rules: VendorRules, path: string, headers: Record<string, string>) {
  return (body: Body) => rules.refuse({ path, headers, body });
}
