import { NO_ANTHROPIC_HEADERS } from '../../call/anthropic-headers';
import { type Operation } from '../../call/operation';
import { parseCall, type ParsedCall } from '../../call/parse-call';
import { readDataUrl } from './data-url';
import { isStrictSchema } from './strict-schema';
import { translateCall, untranslatable } from './translate-call';

const hi = { role: 'user', content: 'Hi' };
const chat = (rest: object = {}): ParsedCall =>
  parseCall('chat_completions', Buffer.from(JSON.stringify({ model: 'a/b', messages: [hi], ...rest })));
const messages = (rest: object = {}): ParsedCall =>
  parseCall(
    'messages',
    Buffer.from(JSON.stringify({ model: 'a/b', max_tokens: 9, messages: [hi], ...rest })),
  );

function translated(call: ParsedCall, upstreamModel = 'm-1', maxOutputTokens = 10_000) {
  const { body, losses } = translateCall(call, { upstreamModel, maxOutputTokens });
  const upstream = JSON.parse(Buffer.concat(body).toString()) as Record<string, unknown>;
  return { upstream, losses: losses.map(({ param }) => param) };
}

describe('translateCall', () => {
  it('names the model and the limit of the target, not of the caller', () => {
    expect(translated(chat({ max_output_tokens: 5 })).upstream).toMatchObject({
      model: 'm-1',
      max_tokens: 10_000,
    });
    expect(translated(messages()).upstream).toMatchObject({ model: 'm-1', max_completion_tokens: 10_000 });
  });

  it('never forwards a field of the service', () => {
    for (const call of [chat, messages]) {
      const { upstream, losses } = translated(call({ compat_mode: 'strict', max_output_tokens: 9 }));
      expect(Object.keys(upstream)).not.toEqual(expect.arrayContaining(['compat_mode']));
      expect(Object.keys(upstream)).not.toEqual(expect.arrayContaining(['max_output_tokens']));
      expect(losses).toEqual([]);
    }
  });

  it('treats null as absent', () => {
    const nothing = { temperature: null, tools: null, tool_choice: null, metadata: null };
    expect(translated(chat({ ...nothing, seed: null, stop: null })).losses).toEqual([]);
    expect(translated(messages({ ...nothing, top_k: null, thinking: null })).losses).toEqual([]);
  });

  it('translates lists of any length', () => {
    const part = { type: 'text', text: 'Hi' };
    const parts = Array.from({ length: 150_000 }, () => part);
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'Hi' };
    const results = parts.map(() => result);
    const nested = { type: 'document', source: { type: 'content', content: parts } };
    const many = (role: string, ...contents: object[]) => ({
      messages: contents.map((content) => ({ role, content })),
    });
    const lengths = ({ upstream }: ReturnType<typeof translated>) =>
      (upstream['messages'] as { content: unknown }[]).map(({ content }) => (content as unknown[]).length);
    expect(lengths(translated(chat(many('user', parts, parts))))).toEqual([300_000]);
    expect(lengths(translated(chat(many('system', parts, parts))))).toEqual([300_000]);
    expect(lengths(translated(messages(many('user', parts, [nested]))))).toEqual([150_000, 150_000]);
    expect(lengths(translated(messages(many('assistant', parts, [nested]))))).toEqual([150_000, 150_000]);
    expect(lengths(translated(messages(many('user', results))))).toHaveLength(150_000);
  });

  it('lists a hundred losses, and then that there are more', () => {
    const content = Array.from({ length: 200 }, () => ({ type: 'unknown' }));
    const losses = untranslatable(chat({ seed: 1, messages: [{ role: 'user', content }] }), {
      upstreamModel: 'm',
      maxOutputTokens: 9,
    });
    expect(losses.map(({ param }) => param)).toEqual([
      'seed',
      ...Array.from({ length: 100 }, (_, at) => `messages[0].content[${String(at)}]`),
    ]);
    expect(losses.at(-1)?.message).toContain('More was left out');
  });

  it('reports a loss without quoting the call', () => {
    const [loss] = untranslatable(chat({ seed: 4711 }), { upstreamModel: 'm', maxOutputTokens: 9 });
    expect(loss?.param).toBe('seed');
    expect(loss?.message).not.toContain('4711');
  });

  it('asks a chat upstream for usage in streams only', () => {
    expect(translated(messages({ stream: true })).upstream['stream_options']).toEqual({
      include_usage: true,
    });
    expect(translated(messages()).upstream).not.toHaveProperty('stream_options');
  });

  it('reports a cache warm-up that a chat upstream cannot do', () => {
    const { upstream, losses } = translated(messages({ max_tokens: 0 }), 'm', 0);
    expect(upstream).toMatchObject({ max_completion_tokens: 1 });
    expect(losses).toEqual(['max_tokens']);
  });

  it('drops and reports a user id that is longer than chat allows', () => {
    const { upstream, losses } = translated(messages({ metadata: { user_id: 'u'.repeat(129) } }));
    expect(upstream).not.toHaveProperty('user');
    expect(losses).toEqual(['metadata.user_id']);
  });
});

describe('tools of a chat call', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }];

  it('leave out parallel calls where no call may be made', () => {
    const { upstream } = translated(chat({ tools, tool_choice: 'none', parallel_tool_calls: false }));
    expect(upstream['tool_choice']).toEqual({ type: 'none' });
  });

  it('are called one at a time where no choice was made', () => {
    const { upstream } = translated(chat({ tools, parallel_tool_calls: false }));
    expect(upstream['tool_choice']).toEqual({ type: 'auto', disable_parallel_tool_use: true });
  });

  it('replace functions, which are reported', () => {
    const { upstream, losses } = translated(
      chat({ tools, functions: [{ name: 'g' }], function_call: 'auto' }),
    );
    expect(upstream['tools']).toMatchObject([{ name: 'f' }]);
    expect(losses).toEqual(['functions', 'function_call']);
  });
});

describe('reasoning that a chat caller sends back', () => {
  it.each([
    ['another provider’s', { type: 'reasoning.encrypted', data: 'Zm9v', format: 'openai-responses-v1' }],
    ['unsigned', { type: 'reasoning.text', text: 'Hm.', signature: null }],
    ['a summary', { type: 'reasoning.summary', summary: 'Hm.' }],
  ])('is left out and reported where it is %s', (_, detail) => {
    const answered = { role: 'assistant', content: 'Yes', reasoning_details: [detail] };
    const { upstream, losses } = translated(chat({ messages: [hi, answered, hi] }));
    expect(JSON.stringify(upstream['messages'])).not.toContain('thinking');
    expect(losses).toEqual(['messages[1].reasoning_details[0]']);
  });

  it('returns to its place among the blocks', () => {
    const detail = { type: 'reasoning.text', text: 'Hm.', signature: 'EqQB', index: 1 };
    const answered = {
      role: 'assistant',
      content: 'Yes',
      reasoning_details: [detail],
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    };
    const { upstream } = translated(chat({ messages: [hi, answered, hi] }));
    const [, turn] = upstream['messages'] as { content: { type: string }[] }[];
    expect(turn?.content.map(({ type }) => type)).toEqual(['text', 'thinking', 'tool_use']);
  });
});

describe('a reasoning effort', () => {
  const loop = [
    hi,
    { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'r' },
  ];
  const forced = { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' };
  const adaptive = { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } };

  it.each([
    ['claude-sonnet-5', {}, adaptive, []],
    ['claude-opus-4-8', {}, adaptive, []],
    ['claude-sonnet-5', { messages: loop }, adaptive, []],
    ['claude-sonnet-5', forced, { output_config: { effort: 'high' } }, ['reasoning_effort']],
    ['claude-haiku-4-5', {}, { thinking: { type: 'enabled', budget_tokens: 8000 } }, []],
    ['claude-sonnet-4-20250514', {}, { thinking: { type: 'enabled', budget_tokens: 8000 } }, []],
    ['claude-haiku-4-5', { messages: loop }, {}, ['reasoning_effort']],
    ['claude-haiku-4-5', forced, {}, ['reasoning_effort']],
    ['claude-sonnet-5', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }, []],
    ['claude-sonnet-5', { reasoning_effort: 'odd' }, {}, ['reasoning_effort']],
    [
      'claude-sonnet-5',
      { reasoning_effort: 'minimal' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      ['reasoning_effort'],
    ],
  ])('is put to %s, asked %j, as %j', (model, rest, expected, expectedLosses) => {
    const { upstream, losses } = translated(chat({ reasoning_effort: 'high', ...rest }), model);
    const { thinking, output_config: outputConfig } = upstream;
    expect(JSON.parse(JSON.stringify({ thinking, output_config: outputConfig }))).toEqual(expected);
    expect(losses).toEqual(expectedLosses);
  });

  it('is dropped where the output limit leaves an older model no room to think', () => {
    const { upstream, losses } = translated(chat({ reasoning_effort: 'high' }), 'claude-haiku-4-5', 1024);
    expect(upstream).not.toHaveProperty('thinking');
    expect(losses).toEqual(['reasoning_effort']);
  });

  it.each([
    [1024, 'low'],
    [4096, 'medium'],
    [16_384, 'high'],
  ])('of %i thinking tokens is %s effort, and reported as another measure', (budget, effort) => {
    const { upstream, losses } = translated(
      messages({ thinking: { type: 'enabled', budget_tokens: budget } }),
    );
    expect(upstream['reasoning_effort']).toBe(effort);
    expect(losses).toEqual(['thinking.budget_tokens']);
  });
});

describe('isStrictSchema', () => {
  const closed = (properties: object, required: readonly string[]): object => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  });

  it.each([
    [closed({}, []), true],
    [closed({ a: { type: ['string', 'null'] } }, ['a']), true],
    [closed({ a: {} }, []), false],
    [closed({ enum: { type: 'object' } }, ['enum']), false],
    [{ type: 'object', properties: {} }, false],
    [{ type: 'array', items: { type: 'object' } }, false],
    [{ $ref: '#/$defs/a', $defs: { a: closed({ b: {} }, []) } }, false],
    [{ anyOf: [closed({}, []), { type: ['object', 'null'] }] }, false],
    [closed({ type: { enum: [{ type: 'object' }] } }, ['type']), true],
  ])('%j: %s', (schema, isStrict) => {
    expect(isStrictSchema(schema)).toBe(isStrict);
  });
});

describe('readDataUrl', () => {
  it.each([
    ['data:image/png;base64,AAAA', { mediaType: 'image/png', base64: 'AAAA' }],
    ['DATA:text/plain;charset=utf-8;base64,AA', { mediaType: 'text/plain', base64: 'AA' }],
    ['data:image/jpg;base64,AA', { mediaType: 'image/jpeg', base64: 'AA' }],
    ['data:image/png,AAAA', null],
    ['data:;base64,AAAA', null],
    ['data:image/png;base64', null],
    ['https://example.com/data:image/png;base64,AA', null],
    ['', null],
  ])('%s', (url, expected) => {
    expect(readDataUrl(url)).toEqual(expected);
  });
});

describe('extra parameters of an endpoint', () => {
  const context = {
    anthropic: NO_ANTHROPIC_HEADERS,
    extraParameters: new Set(['thinking', 'top_k', 'reasoning_effort']),
  };
  const sentBy = (operation: Operation, fields: object, taken: readonly string[]) => {
    const call = parseCall(
      operation,
      Buffer.from(JSON.stringify({ model: 'a/b', max_tokens: 9_000, messages: [hi], ...fields })),
      context,
    );
    const target = { upstreamModel: 'm', maxOutputTokens: 9_000, extraParameters: new Set(taken) };
    const { body, losses } = translateCall(call, target);
    return {
      body: JSON.parse(Buffer.concat(body).toString()) as object,
      lost: losses.map(({ param }) => param),
    };
  };

  it('are sent as they are to an endpoint that lists them, and are lost at others', () => {
    const fields = { top_k: 5 };
    expect(sentBy('messages', fields, ['top_k'])).toMatchObject({ body: fields, lost: [] });
    expect(sentBy('messages', fields, []).lost).toEqual(['top_k']);
    expect(sentBy('chat_completions', fields, ['top_k'])).toMatchObject({ body: fields, lost: [] });
    expect(sentBy('messages', { top_k: null }, ['top_k']).body).not.toHaveProperty('top_k');
  });

  it('take the place of what translation makes of another parameter', () => {
    const thinking = { type: 'disabled' };
    const fields = { thinking, reasoning_effort: 'high' };
    expect(sentBy('chat_completions', fields, ['thinking']).body).toMatchObject({ thinking });
    // Fields that the route itself knows are translated.
    const { body } = sentBy(
      'messages',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      ['thinking'],
    );
    expect(body).toMatchObject({ reasoning_effort: 'low' });
    expect(body).not.toHaveProperty('thinking');
  });
});
