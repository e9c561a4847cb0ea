import { post, type ErrorBody } from './harness/clients';
import { endedWell } from './harness/stream-frames';
import { modelOf, startMatrixWorld, type MatrixWorld } from './matrix/matrix-world';
import { compatibleVendors, type VendorName } from './matrix/strict/vendors/vendors';
import { simulatorUpstream } from './matrix/upstreams';

type Fields = Readonly<Record<string, unknown>>;

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const strictSchema = { ...schema, additionalProperties: false };
const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const hello = { role: 'user', content: 'Hello' };

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

const providers: readonly (readonly ['openai' | 'anthropic', VendorName])[] = [
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ...compatibleVendors.map((vendor) => ['openai', vendor] as const),
];

const routes = [
  ['/v1/chat/completions', { messages: [hello] }, chat],
  ['/v1/messages', { messages: [hello], max_tokens: 50 }, messages],
  ['/v1/responses', { input: 'Hello' }, responses],
] as const;

/** What is left to the vendor to refuse. */
const blankName = { type: 'function', function: { name: 'get weather', parameters: schema } };
const refused = [
  ['many stops', 'openai', { stop: ['a', 'b', 'c', 'd', 'e'] }, /'stop': array too long/],
  [
    'an assistant first',
    'anthropic',
    { messages: [{ role: 'assistant', content: 'Hi' }, hello] },
    /first message/,
  ],
  ['a name with a blank', 'google', { tools: [blankName] }, /Invalid function name/],
  ['much heat', 'mistral', { temperature: 1.8 }, /temperature: Input should be less than or equal to 1\.5/],
  ['much heat', 'groq', { temperature: 2.5 }, /temperature must be at most 2/],
  ['much heat', 'deepseek', { temperature: 2.5 }, /temperature must be at most 2/],
  ['many stops', 'moonshotai', { stop: ['a', 'b', 'c', 'd', 'e', 'f'] }, /stop must be at most 5/],
  ['much heat', 'xai', { temperature: 2.5 }, /temperature must be at most 2/],
] as const;

describe('an upstream that is as strict as its vendor', () => {
  let world: MatrixWorld;
  beforeAll(async () => {
    world = await startMatrixWorld([simulatorUpstream]);
  });
  afterAll(() => world.stop());

  describe.each(routes)('on %s', (route, base, cases) => {
    describe.each(providers)(
      'with a provider of the protocol of %s with the rules of %s',
      (protocol, vendor) => {
        it.each(cases)('takes %s', async (_, fields) => {
          const { recorder, svc } = world;
          recorder.refusals.length = 0;
          const model = modelOf(simulatorUpstream, protocol, vendor);
          for (const stream of 'stream' in fields ? [fields.stream] : [false, true]) {
            const answer = await post(svc, route, { model, ...base, ...fields, stream });
            const text = await answer.text();
            expect(recorder.refusals).toEqual([]);
            expect({ status: answer.status, text }).toMatchObject({ status: 200 });
            if (stream === true) expect(endedWell(text)).toBe(true);
          }
        });
      },
    );
  });

  it.each([
    ['openai', { dimensions: 64, user: 'u-1', encoding_format: 'base64' }],
    ['mistral', { dimensions: 64, user: 'u-1', encoding_format: 'base64' }],
    ['mistral', { input: ['Basel', 'Köln'] }],
  ] as const)('on /v1/embeddings with the rules of %s takes %j', async (vendor, fields) => {
    const { recorder, svc } = world;
    recorder.refusals.length = 0;
    const model = modelOf(simulatorUpstream, 'embeddings', vendor);
    const answer = await post(svc, '/v1/embeddings', { model, input: 'Hello', ...fields });
    expect(recorder.refusals).toEqual([]);
    expect(answer.status).toBe(200);
  });

  it.each(refused)('refuses a chat call with %s in the words of %s', async (_, vendor, fields, message) => {
    const protocol = vendor === 'anthropic' ? vendor : 'openai';
    const body = { model: modelOf(simulatorUpstream, protocol, vendor), messages: [hello], ...fields };
    const answer = await post(world.svc, '/v1/chat/completions', body);
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as ErrorBody;
    const code = vendor === 'mistral' ? 'provider_http_422' : 'provider_http_400';
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([
    ['openai', 0],
    ['anthropic', 1],
  ] as const)('gets a beta field with its header only (%s)', async (protocol, sentTimes) => {
    const { recorder, svc } = world;
    recorder.refusals.length = 0;
    recorder.received.length = 0;
    const model = modelOf(simulatorUpstream, protocol);
    const edits = [{ type: 'clear_tool_uses_20250919' }];
    const body = { model, max_tokens: 50, messages: [hello], context_management: { edits } };
    const headers = { 'anthropic-beta': 'context-management-2025-06-27', 'anthropic-version': '2023-06-01' };
    expect((await post(svc, '/v1/messages', body, { headers })).status).toBe(200);
    expect(recorder.refusals).toEqual([]);
    const sent = recorder.received.filter(
      (call) => call.headers['anthropic-beta'] && call.body.context_management,
    );
    expect(sent).toHaveLength(sentTimes);
  });

  it('is never shown a key or a header of Svc', async () => {
    const body = { model: modelOf(simulatorUpstream, 'openai'), messages: [hello] };
    const headers = { 'Svc-Session-Id': 's-1', 'Idempotency-Key': crypto.randomUUID() };
    expect((await post(world.svc, '/v1/chat/completions', body, { headers })).status).toBe(200);
    const sent = JSON.stringify(world.recorder.received.at(-1)?.headers).toLowerCase();
    expect(sent).toContain('sk-of-the-recorder');
    for (const own of ['svc-session-id', 'idempotency-key', world.svc.apiKey.toLowerCase()])
      expect(sent).not.toContain(own);
  });
});
