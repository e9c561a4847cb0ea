import { readSse } from '@svc/testing';
import { answersJson, completion, message } from '../testing/answers';
import { CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

type Protocol = 'openai' | 'anthropic';
type Fields = Readonly<Record<string, unknown>>;

const world = edgeWorld();

const start = (protocol: Protocol, endpoint: Fields = {}, provider: Fields = {}): Promise<void> => {
  const providers = [{ name: 'acme', protocol, base_url: `${world.upstream.url}/v1`, ...provider }];
  const models = [{ ...MODEL, display_name: 'Small' }];
  const one = { model: MODEL.id, provider: 'acme', upstream_model: 'small-1', region: 'eu' };
  const endpoints = [{ ...one, data_retention: 'zero', prices: PRICES, ...endpoint }];
  return world.start({ catalog: JSON.stringify({ providers, models, endpoints }) });
};

const usage = { prompt_tokens: 1, completion_tokens: 1 };
const plain = {
  openai: completion(usage, 'Hello'),
  anthropic: message({ input_tokens: 1, output_tokens: 1 }, 'Hello'),
} as const;

const bodies: Readonly<Record<string, Fields>> = {
  '/v1/chat/completions': CHAT,
  '/v1/messages': CHAT,
  '/v1/responses': { model: MODEL.id, input: 'Hi' },
};

/** Asks, and gives the answer and the body that the provider was sent. */
async function asked(route: string, protocol: Protocol, fields: Fields) {
  world.upstream.next(answersJson(plain[protocol]));
  const response = await world.edge.post(route, { ...bodies[route], ...fields });
  // A stream is answered with what is none: its body is what counts.
  const answer = (await response.json()) as { warnings?: { param: string }[] };
  const told = (answer.warnings ?? []).map(({ param }) => param);
  return { status: response.status, told, text: String(world.upstream.received.at(-1)?.body) };
}

const calling = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
const sentBy = (text: string) => JSON.parse(text) as Fields;

describe('a provider', () => {
  it.each<[string, Protocol, Fields, string]>([
    ['/v1/chat/completions', 'openai', { service_tier: 'flex' }, 'service_tier'],
    ['/v1/chat/completions', 'anthropic', { service_tier: 'priority' }, 'service_tier'],
    ['/v1/chat/completions', 'openai', { tools: [{ type: 'web_search' }] }, 'tools[0]'],
    [
      '/v1/messages',
      'anthropic',
      { tools: [{ type: 'web_search_20250305', name: 'w', max_uses: 50 }] },
      'tools[0]',
    ],
    ['/v1/messages', 'openai', { tools: [{ type: 'code_execution_20250825', name: 'c' }] }, 'tools[0]'],
    [
      '/v1/messages',
      'anthropic',
      { mcp_servers: [{ type: 'url', url: 'https://x.example' }] },
      'mcp_servers',
    ],
    ['/v1/messages', 'anthropic', { container: { skills: [] } }, 'container'],
    ['/v1/responses', 'openai', { prompt_cache_retention: '24h' }, 'prompt_cache_retention'],
    ['/v1/responses', 'anthropic', { service_tier: 'priority' }, 'service_tier'],
  ])('of %s (%s) is not sent %j, and the caller is told', async (route, protocol, fields, param) => {
    await start(protocol);
    const { status, told, text } = await asked(route, protocol, fields);
    expect([status, told]).toEqual([200, [param]]);
    for (const name of Object.keys(fields)) expect(sentBy(text)).not.toHaveProperty(name);
    const strict = await world.edge.post(route, { ...bodies[route], ...fields, compat_mode: 'strict' });
    expect(strict.status).toBe(422);
    expect(await strict.json()).toMatchObject({ error: { code: 'capability_unsupported', param } });
  });

  it('gets the caller’s bytes around what is left out', async () => {
    await start('anthropic');
    const part = { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } };
    const messages = [{ role: 'user', content: [part] }];
    const { told, text } = await asked('/v1/messages', 'anthropic', { messages, temperature: 1e-7 });
    expect(told).toEqual(['messages[0].content[0].cache_control.ttl']);
    expect(text).toContain('"cache_control":{"type":"ephemeral"}');
    expect(text).toContain('"temperature":1e-7');
    expect(text).toContain('"model":"small-1"');
  });

  it.each<[string, Protocol]>([
    ['/v1/chat/completions', 'openai'],
    ['/v1/chat/completions', 'anthropic'],
    ['/v1/messages', 'anthropic'],
    ['/v1/messages', 'openai'],
    ['/v1/responses', 'openai'],
    ['/v1/responses', 'anthropic'],
  ])('of %s (%s) is sent no null', async (route, protocol) => {
    await start(protocol);
    const nulls = { metadata: null, tools: null, tool_choice: null, temperature: null, stream: null };
    const { told, text } = await asked(route, protocol, nulls);
    expect(told).toEqual([]);
    expect(Object.values(sentBy(text))).not.toContain(null);
  });

  it('is sent an answer as an SDK writes it, without nulls that are refused', async () => {
    await start('openai');
    const turn = { role: 'assistant', content: 'Hello', refusal: null, tool_calls: null, name: null };
    const messages = [...CHAT.messages, turn, ...CHAT.messages];
    const { told, text } = await asked('/v1/chat/completions', 'openai', { messages });
    expect(told).toEqual([]);
    expect(text).toContain('{"role":"assistant","content":"Hello","refusal":null}');
  });

  it('answers a system prompt alone', async () => {
    await start('anthropic');
    const messages = [{ role: 'system', content: 'Write a haiku.' }];
    const { told, text } = await asked('/v1/chat/completions', 'anthropic', { messages });
    expect(told).toEqual(['messages']);
    expect(sentBy(text)).toMatchObject({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Write a haiku.' }] }],
    });
    const alone = await asked('/v1/responses', 'anthropic', { instructions: 'Write a haiku.', input: '' });
    expect(alone.told).toEqual(['input']);
    const blank = await asked('/v1/chat/completions', 'anthropic', {
      messages: [{ role: 'user', content: ' ' }],
    });
    expect(sentBy(blank.text)['messages']).toHaveLength(1);
  });

  it.each<[string, Fields, string, string]>([
    ['/v1/chat/completions', { messages: [{ role: 'system', content: 'Hi' }] }, 'messages', 'Hi'],
    ['/v1/chat/completions', { messages: [{ role: 'developer', content: 'Hi' }] }, 'messages', 'Hi'],
    ['/v1/chat/completions', { messages: [{ role: 'user', content: '' }] }, 'messages', '.'],
    ['/v1/messages', { system: 'Hi', messages: [{ role: 'user', content: '' }] }, 'messages', 'Hi'],
    ['/v1/messages', { messages: [{ role: 'assistant', content: [] }] }, 'messages', '.'],
    ['/v1/responses', { instructions: 'Hi', input: '' }, 'input', 'Hi'],
    ['/v1/responses', { input: '' }, 'input', '.'],
  ])(
    'that answers no system prompt alone is asked by a user, and the caller is told: %s %j',
    async (route, fields, param, content) => {
      await start('openai', {}, { chat_messages: { empty_text: false, system_alone: false } });
      for (const stream of [false, true]) {
        const { text } = await asked(route, 'openai', { ...fields, stream });
        expect(sentBy(text)['messages']).toEqual([{ role: 'user', content }]);
      }
      expect((await asked(route, 'openai', fields)).told).toEqual([param]);
      const strict = await world.edge.post(route, { ...bodies[route], ...fields, compat_mode: 'strict' });
      expect(await strict.json()).toMatchObject({ error: { code: 'capability_unsupported', param } });
    },
  );

  it.each<[string, Fields]>([
    [
      '/v1/chat/completions',
      { tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }] },
    ],
    ['/v1/messages', { tools: [{ name: 'f', input_schema: { type: 'object' } }] }],
    ['/v1/responses', { tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }] }],
  ])('of OpenAI’s protocol gets properties in every schema (%s)', async (route, fields) => {
    await start('openai');
    const { told, text } = await asked(route, 'openai', fields);
    expect(told).toEqual([]);
    expect(text).toContain('{"type":"object","properties":{}}');
  });

  it.each(['reasoning_content', 'content'])(
    'is not sent the thinking that another one wrote (%s)',
    async (signature) => {
      await start('anthropic');
      const thought = { type: 'thinking', thinking: 'Hm.', signature };
      const turns = (content: object[]) => [
        ...CHAT.messages,
        { role: 'assistant', content },
        ...CHAT.messages,
      ];
      const said = { type: 'text', text: 'Hello' };
      const { told, text } = await asked('/v1/messages', 'anthropic', { messages: turns([thought, said]) });
      expect(told).toEqual(['messages[1].content[0]']);
      expect(sentBy(text)).toMatchObject({ messages: [{}, { content: [said] }, {}] });
      const alone = await asked('/v1/messages', 'anthropic', { messages: turns([thought]) });
      expect(sentBy(alone.text)['messages']).toHaveLength(2);
    },
  );

  it('is sent reasoning only in a field that it takes', async () => {
    await start('openai', {}, { reasoning_fields: ['reasoning'] });
    const turn = { role: 'assistant', content: 'Hello', reasoning: 'Hm.', reasoning_content: 'Hm.' };
    const messages = [...CHAT.messages, turn, ...CHAT.messages];
    const { told, text } = await asked('/v1/chat/completions', 'openai', { messages });
    expect(told).toEqual(['messages[1].reasoning_content']);
    expect(text).toContain('{"role":"assistant","content":"Hello","reasoning":"Hm."}');
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'reasoning_content' };
    const blocks = [...CHAT.messages, { role: 'assistant', content: [thought] }, ...CHAT.messages];
    const translated = await asked('/v1/messages', 'openai', { messages: blocks });
    expect(translated.told).toEqual(['messages[1].content[0]']);
  });

  const idsIn = (text: string): unknown[] =>
    [...text.matchAll(/"(?:tool_call_)?id":"([^"]*)"/g)].map(([, id]) => id);

  it.each<[string, Fields]>([
    [
      '/v1/chat/completions',
      {
        messages: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: 'Hi', name: 'Ann' },
          { role: 'assistant', content: null, refusal: null, tool_calls: [calling('call_1')] },
          { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
        ],
      },
    ],
    [
      '/v1/messages',
      {
        system: 'Be brief.',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'f', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Sunny' }] },
        ],
      },
    ],
    [
      '/v1/responses',
      {
        input: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
          { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'Sunny' },
        ],
      },
    ],
  ])(
    'is sent the messages of %s in its form, the limit under its name, and no stream options',
    async (route, fields) => {
      const form = {
        members: ['content', 'tool_calls', 'tool_call_id'],
        developer_role: false,
        call_id_length: 9,
      };
      const chat_messages = { ...form, reasoning_of_calls: 'reasoning_content' };
      await start('openai', { takes: { max_completion_tokens: [], stream_options: [] } }, { chat_messages });
      const limit = route === '/v1/responses' ? { max_output_tokens: 50 } : { max_tokens: 50 };
      for (const stream of [false, true]) {
        const { text } = await asked(route, 'openai', { ...fields, ...limit, stream });
        const sent = sentBy(text);
        expect(sent).toMatchObject({
          max_tokens: 50,
          messages: [
            { role: 'system' },
            { role: 'user', content: 'Hi' },
            { role: 'assistant', reasoning_content: ' ' },
            { role: 'tool' },
          ],
        });
        for (const name of ['max_completion_tokens', 'stream_options']) expect(sent).not.toHaveProperty(name);
        expect(text).not.toMatch(/"(name":"Ann|refusal)"/);
        const [called, answered] = idsIn(text);
        expect(called).toMatch(/^[A-Za-z0-9]{9}$/);
        expect(answered).toBe(called);
      }
    },
  );

  it('tells of a member of a message that it does not know', async () => {
    await start('openai', {}, { chat_messages: { members: ['content'] } });
    const messages = [{ role: 'user', content: 'Hi', name: 'Ann' }];
    const { told, text } = await asked('/v1/chat/completions', 'openai', { messages, temperature: 1e-7 });
    expect(told).toEqual(['messages[0].name']);
    expect(text).toContain('"temperature":1e-7');
  });

  it.each<[string, Fields, string]>([
    ['/v1/chat/completions', { temperature: 0.2 }, 'temperature'],
    ['/v1/messages', { temperature: 0.2 }, 'temperature'],
    ['/v1/responses', { temperature: 0.2 }, 'temperature'],
    ['/v1/chat/completions', { reasoning_effort: 'none' }, 'reasoning_effort'],
    ['/v1/messages', { thinking: { type: 'disabled' } }, 'thinking'],
    ['/v1/responses', { reasoning: { effort: 'none' } }, 'reasoning.effort'],
    ['/v1/chat/completions', { reasoning_effort: 'xhigh' }, 'reasoning_effort'],
    ['/v1/messages', { output_config: { effort: 'xhigh' } }, 'output_config.effort'],
    ['/v1/chat/completions', { temperature: 1, top_p: 0.9 }, 'top_p'],
  ])('whose model refuses it is not sent what %s has: %j', async (route, fields, param) => {
    const values = { temperature: [1], 'thinking.type': ['adaptive'], 'output_config.effort': ['high'] };
    await start('anthropic', { takes: values, takes_one_of: [['temperature', 'top_p']] });
    const { told, text } = await asked(route, 'anthropic', fields);
    expect(told).toEqual([param]);
    const sent = sentBy(text);
    expect(sent['temperature'] ?? 1).toBe(1);
    expect(sent['thinking'] ?? { type: 'adaptive' }).toEqual({ type: 'adaptive' });
    expect(sent).not.toHaveProperty('output_config.effort');
    expect(sent).not.toHaveProperty('top_p');
  });
});

describe('a tool with a name that is too long for the protocol of its provider', () => {
  const name = `mcp__a_server_with_a_long_name__${'x'.repeat(60)}`;
  const definition = { name, parameters: { type: 'object', properties: {} } };
  const tools: Readonly<Record<string, Fields>> = {
    '/v1/chat/completions': { type: 'function', function: definition },
    '/v1/messages': { name, input_schema: definition.parameters },
    '/v1/responses': { type: 'function', ...definition },
  };
  const sentName = (body: string): string =>
    (JSON.parse(body) as { tools: { function: { name: string } }[] }).tools[0]!.function.name;
  const sentText = () => String(world.upstream.received[0]?.body);
  const callOf = (called: string) => ({
    id: 'call_1',
    type: 'function',
    function: { name: called, arguments: '{}' },
  });

  it.each(Object.keys(tools))(
    'has a short one upstream and its own in the plain answer of %s',
    async (route) => {
      await start('openai');
      world.upstream.next((_, response) => {
        const called = sentName(sentText());
        const [choice] = plain.openai.choices as unknown as { message: object }[];
        const choices = [{ ...choice, message: { role: 'assistant', tool_calls: [callOf(called)] } }];
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ...plain.openai, choices }));
      });
      const response = await world.edge.post(route, { ...bodies[route], tools: [tools[route]] });
      const text = await response.text();
      expect(sentName(sentText())).toHaveLength(64);
      expect(text).toContain(`"name":"${name}"`);
      expect(text).not.toContain(sentName(sentText()));
    },
  );

  it.each(Object.keys(tools))('has its own name in the stream of %s', async (route) => {
    await start('openai');
    world.upstream.next((_, response) => {
      const called = sentName(sentText());
      const chunk = (delta: object, finish_reason: string | null = null) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
      const frames = chunk({ tool_calls: [{ index: 0, ...callOf(called) }] }) + chunk({}, 'tool_calls');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${frames}data: [DONE]\n\n`);
    });
    const body = { ...bodies[route], tools: [tools[route]], stream: true };
    const frames = await readSse(await world.edge.post(route, body));
    const text = frames.map(({ data }) => data).join('\n');
    expect(text).toContain(`"name":"${name}"`);
    expect(text).not.toContain(sentName(sentText()));
  });
});
