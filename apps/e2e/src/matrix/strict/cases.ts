type Fields = Readonly<Record<string, unknown>>;

export const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const strictSchema = { ...schema, additionalProperties: false };
const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const hello = { role: 'user', content: 'Hello' };

const functionTool = {
  type: 'function',
  function: { name: 'get_weather', description: 'The weather', parameters: schema },
};
const toolCall = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Basel"}' },
});
const longName = `mcp__a_server_with_a_long_name__${'x'.repeat(70)}`;
const bounded = {
  type: 'object',
  properties: { score: { type: 'integer', minimum: 1, maximum: 10 }, tags: { type: 'array', maxItems: 3 } },
};
const named = { name: 'city', schema: strictSchema };
const chat: readonly (readonly [string, Fields])[] = [
  ['max_tokens', { max_tokens: 50 }],
  ['max_completion_tokens', { max_completion_tokens: 50 }],
  ['max_output_tokens', { max_output_tokens: 50 }],
  ['two equal limits, one of them the own', { max_tokens: 50, max_output_tokens: 50 }],
  ['compat_mode', { compat_mode: 'permissive' }],
  ['penalties', { frequency_penalty: 0.5, presence_penalty: -0.5, logit_bias: { 50256: -100 } }],
  ['logprobs', { logprobs: true, top_logprobs: 2 }],
  ['n and seed', { n: 1, seed: 7 }],
  ['temperature and top_p', { temperature: 0.5, top_p: 0.9 }],
  ['one stop', { stop: 'END' }],
  ['several stops', { stop: ['END', 'FIN'] }],
  ['metadata', { metadata: { team: 'search' }, store: true }],
  ['labels', { metadata: { team: 'search' }, user: 'u-1' }],
  ['modalities', { modalities: ['text'] }],
  [
    'names of users and caches',
    { user: 'u-1', safety_identifier: 's-1', prompt_cache_key: 'k-1', prompt_cache_retention: '24h' },
  ],
  ['prediction', { prediction: { type: 'content', content: 'Hello' } }],
  ['service_tier and verbosity', { service_tier: 'auto', verbosity: 'low' }],
  ['web_search_options', { web_search_options: {} }],
  ...(['none', 'minimal', 'low', 'medium', 'high'] as const).map(
    (effort) => [`reasoning_effort ${effort}`, { reasoning_effort: effort, max_tokens: 4000 }] as const,
  ),
  ['a stream without usage', { stream: true }],
  ['a stream with usage', { stream: true, stream_options: { include_usage: true } }],
  ['stream_options that are null', { stream: false, stream_options: null }],
  ['a text format', { response_format: { type: 'text' } }],
  [
    'a JSON format',
    { response_format: { type: 'json_object' }, messages: [{ role: 'user', content: 'Answer with JSON.' }] },
  ],
  ['a strict schema', { response_format: { type: 'json_schema', json_schema: { ...named, strict: true } } }],
  ['a loose schema', { response_format: { type: 'json_schema', json_schema: { ...named, schema } } }],
  ...['none', 'auto', 'required', { type: 'function', function: { name: 'get_weather' } }].map(
    (choice) =>
      [`tool_choice ${JSON.stringify(choice)}`, { tools: [functionTool], tool_choice: choice }] as const,
  ),
  ['no parallel tool calls', { tools: [functionTool], parallel_tool_calls: false }],
  [
    'tools and reasoning',
    { tools: [functionTool], tool_choice: 'required', reasoning_effort: 'high', max_tokens: 4000 },
  ],
  ['a tool without parameters', { tools: [{ type: 'function', function: { name: 'now' } }] }],
  [
    'a bare tool',
    { tools: [{ type: 'function', function: { name: 'now', parameters: { type: 'object' } } }] },
  ],
  [
    'tools whose names are short or begin with a digit',
    {
      tools: ['ls', '3d_view'].map((name) => ({ type: 'function', function: { name, parameters: schema } })),
      tool_choice: { type: 'function', function: { name: 'ls' } },
    },
  ],
  [
    'an answer as an SDK sends it back',
    {
      messages: [
        hello,
        { role: 'assistant', content: 'Hi', refusal: null, audio: null, tool_calls: null },
        hello,
      ],
    },
  ],
  ['a tool with a long name', { tools: [{ type: 'function', function: { name: longName } }] }],
  [
    'a schema with bounds',
    { response_format: { type: 'json_schema', json_schema: { ...named, schema: bounded } } },
  ],
  ['fields that are null', { tools: null, temperature: null, stop: null, metadata: null, user: null }],
  ['functions', { functions: [{ name: 'get_weather', parameters: schema }], function_call: 'auto' }],
  ['a system message', { messages: [{ role: 'system', content: 'Be brief.' }, hello] }],
  ['a system message alone', { messages: [{ role: 'system', content: 'Be brief.' }] }],
  ['a developer message alone', { messages: [{ role: 'developer', content: 'Be brief.' }] }],
  ['a blank conversation', { messages: [{ role: 'user', content: '' }] }],
  [
    'a conversation of an empty part',
    { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
  ],
  [
    'a system message at the end',
    {
      messages: [hello, { role: 'assistant', content: 'Hi' }, { role: 'system', content: 'Be brief.' }],
    },
  ],
  ['a developer message', { messages: [{ role: 'developer', content: 'Be brief.' }, hello] }],
  [
    'a system message in the middle',
    {
      messages: [
        hello,
        { role: 'assistant', content: 'Hi' },
        { role: 'system', content: 'Be brief.' },
        hello,
      ],
    },
  ],
  ['an assistant last', { messages: [hello, { role: 'assistant', content: 'Well, ' }] }],
  [
    'two users in a row',
    {
      messages: [
        { ...hello, name: 'Ann' },
        { ...hello, name: 'Bob' },
      ],
    },
  ],
  [
    'an empty text',
    { messages: [{ role: 'system', content: '' }, hello, { role: 'assistant', content: '' }, hello] },
  ],
  [
    'text in parts',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hello' },
            { type: 'text', text: 'again' },
          ],
        },
      ],
    },
  ],
  [
    'a picture',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${image}`, detail: 'low' } },
          ],
        },
      ],
    },
  ],
  [
    'the address of a picture',
    {
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
      ],
    },
  ],
  ['a refusal', { messages: [hello, { role: 'assistant', content: null, refusal: 'No.' }, hello] }],
  [
    'two tool results, one in parts',
    {
      tools: [functionTool],
      messages: [
        hello,
        { role: 'assistant', content: null, tool_calls: [toolCall('call_1'), toolCall('call_2')] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
        { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'Rain' }] },
        hello,
      ],
    },
  ],
  [
    'tool results without tools',
    {
      messages: [
        hello,
        { role: 'assistant', content: '', tool_calls: [toolCall('call.1:x')] },
        { role: 'tool', tool_call_id: 'call.1:x', content: '' },
      ],
    },
  ],
];

const tool = { name: 'get_weather', description: 'The weather', input_schema: schema };
const turn = (...content: readonly Fields[]) => ({ role: 'user', content });
const toolUse = (id: string) => ({ type: 'tool_use', id, name: 'get_weather', input: { city: 'Basel' } });
const toolResult = (id: string, more: Fields = { content: 'Sunny' }) => ({
  type: 'tool_result',
  tool_use_id: id,
  ...more,
});
const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } };
const cached = { cache_control: { type: 'ephemeral' } };
const messages: readonly (readonly [string, Fields])[] = [
  ['max_output_tokens alone', { max_tokens: undefined, max_output_tokens: 50 }],
  ['compat_mode', { compat_mode: 'permissive' }],
  ['a system text', { system: 'Be brief.' }],
  ['system blocks with a cache', { system: [{ type: 'text', text: 'Be brief.', ...cached }] }],
  ['a cache for the whole prompt', cached],
  ['metadata', { metadata: { user_id: 'u-1' } }],
  ['labels', { metadata: { user_id: 'u-1', team: 'search' } }],
  ['sampling', { temperature: 0.5, top_k: 5, top_p: 0.9 }],
  ['stop_sequences', { stop_sequences: ['END', 'FIN'] }],
  ['many stop_sequences', { stop_sequences: ['a1', 'b2', 'c3', 'd4', 'e5'] }],
  ['service_tier', { service_tier: 'auto' }],
  ['a stream', { stream: true }],
  ['thinking', { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } }],
  ['no thinking', { thinking: { type: 'disabled' } }],
  ['adaptive thinking', { max_tokens: 4000, thinking: { type: 'adaptive' } }],
  ['an effort', { output_config: { effort: 'low' } }],
  ['a schema', { output_config: { format: { type: 'json_schema', schema: strictSchema } } }],
  ...(['auto', 'any', 'none'] as const).map(
    (type) => [`tool_choice ${type}`, { tools: [tool], tool_choice: { type } }] as const,
  ),
  [
    'a named tool, one at a time',
    { tools: [tool], tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true } },
  ],
  ['a tool with a cache', { tools: [{ ...tool, ...cached }] }],
  ['a strict tool', { tools: [{ ...tool, input_schema: strictSchema, strict: true }] }],
  ['a tool of the server', { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }] }],
  ['a bare tool', { tools: [{ name: 'now', input_schema: { type: 'object' } }] }],
  [
    'a tool with a long name, called before',
    {
      tools: [{ ...tool, name: longName }],
      messages: [
        hello,
        { role: 'assistant', content: [{ ...toolUse('toolu_1'), name: longName }] },
        turn(toolResult('toolu_1')),
      ],
    },
  ],
  ['a schema with bounds', { output_config: { format: { type: 'json_schema', schema: bounded } } }],
  ['fields that are null', { system: null, metadata: null, tools: null, stop_sequences: null, top_k: null }],
  [
    'thinking of a chat model',
    {
      messages: [
        hello,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'reasoning_content' },
            { type: 'text', text: 'Hi' },
          ],
        },
        hello,
      ],
    },
  ],
  ['two users in a row', { messages: [hello, hello] }],
  ['an assistant last', { messages: [hello, { role: 'assistant', content: 'Well' }] }],
  ['a picture', { messages: [turn(picture, { type: 'text', text: 'What is it?' })] }],
  [
    'the address of a picture',
    { messages: [turn({ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } })] },
  ],
  [
    'a document',
    {
      messages: [
        turn(
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Text' } },
          { type: 'text', text: 'Sum it up.' },
        ),
      ],
    },
  ],
  ['a cache in the prompt', { messages: [turn({ type: 'text', text: 'Hello', ...cached })] }],
  [
    'earlier thinking',
    {
      messages: [
        hello,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
            { type: 'text', text: 'Hi' },
          ],
        },
        hello,
      ],
    },
  ],
  [
    'tool results, one of them an error and one a picture',
    {
      tools: [tool],
      messages: [
        hello,
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Let me look.' }, toolUse('toolu_1'), toolUse('toolu_2')],
        },
        turn(
          toolResult('toolu_1', { content: 'Broken', is_error: true }),
          toolResult('toolu_2', { content: [{ type: 'text', text: 'See:' }, picture] }),
          { type: 'text', text: 'And now?' },
        ),
      ],
    },
  ],
  [
    'a tool result without content',
    {
      tools: [tool],
      messages: [
        hello,
        { role: 'assistant', content: [toolUse('toolu_1')] },
        turn(toolResult('toolu_1', {})),
      ],
    },
  ],
];

const flatTool = { type: 'function', name: 'get_weather', parameters: schema };
const functionCall = { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{}' };
const responses: readonly (readonly [string, Fields])[] = [
  ['a text', {}],
  ['instructions and a limit', { instructions: 'Be brief.', max_output_tokens: 50 }],
  ['sampling', { temperature: 0.5, top_p: 0.9 }],
  ['labels', { metadata: { team: 'search' }, user: 'u-1', safety_identifier: 's-1' }],
  ['names of caches', { prompt_cache_key: 'k-1' }],
  ...(['none', 'minimal', 'low', 'medium', 'high'] as const).map(
    (effort) => [`the effort ${effort}`, { reasoning: { effort } }] as const,
  ),
  ['log probabilities', { top_logprobs: 2, include: ['message.output_text.logprobs'] }],
  ['verbosity', { text: { verbosity: 'low' } }],
  [
    'a schema',
    { text: { format: { type: 'json_schema', name: 'city', schema: strictSchema, strict: true } } },
  ],
  ['a JSON format', { text: { format: { type: 'json_object' } }, input: 'Answer with JSON.' }],
  ...['auto', 'required', { type: 'function', name: 'get_weather' }].map(
    (choice) =>
      [`tool_choice ${JSON.stringify(choice)}`, { tools: [flatTool], tool_choice: choice }] as const,
  ),
  ['a tool without parameters', { tools: [{ type: 'function', name: 'now' }] }],
  ['tools whose names are short or long', { tools: ['ls', longName].map((name) => ({ ...flatTool, name })) }],
  ['a developer message', { input: [{ role: 'developer', content: 'Be brief.' }, hello] }],
  [
    'a picture',
    {
      input: [
        { role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${image}` }] },
      ],
    },
  ],
  [
    'a call and its output',
    {
      tools: [flatTool],
      input: [hello, functionCall, { type: 'function_call_output', call_id: 'call_1', output: 'Sunny' }],
    },
  ],
  ['a system prompt alone', { instructions: 'Be brief.', input: '' }],
  ['a blank conversation', { input: '' }],
  ['a conversation of which nothing is left', { input: [{ type: 'web_search_call', id: 'ws_1' }] }],
  [
    'an earlier answer that refused',
    { input: [hello, { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }, hello] },
  ],
];

/** Each route with what every call has, and what a vendor must be able to take of it. */
export const routes = [
  ['/v1/chat/completions', { messages: [hello] }, chat],
  ['/v1/messages', { messages: [hello], max_tokens: 50 }, messages],
  ['/v1/responses', { input: 'Hello' }, responses],
] as const;
