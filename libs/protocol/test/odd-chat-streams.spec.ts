import fc from 'fast-check';
import { type GenerativeOperation } from '../src/call/operation';
import { callOf, type Played, playStream } from '../src/testing/caller-answer';

type Json = Record<string, unknown>;

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: Json, finish: unknown = null, more: Json = {}, inChoice: Json = {}): string =>
  frame({
    id: 'c1',
    object: 'chat.completion.chunk',
    model: 's-1',
    choices: [{ index: 0, delta, finish_reason: finish, ...inChoice }],
    ...more,
  });
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const usageFrame = (report: Json = usage, choices: unknown = []): string =>
  frame({ id: 'c1', object: 'chat.completion.chunk', model: 's-1', choices, usage: report });
const role = chunk({ role: 'assistant', content: '' });
const hello = chunk({ content: 'Hello' });
const done = 'data: [DONE]\n\n';
const tool = (entry: Json): string => chunk({ tool_calls: [entry] });
const call = (index: number | undefined, id: string | undefined, name: string, args: unknown): string =>
  tool({
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: args },
  });

const routes = ['chat_completions', 'messages', 'responses'] as const;
const translated = ['messages', 'responses'] as const;
const play = (route: GenerativeOperation, stream: string, more: Json = {}): Played =>
  playStream(stream, { call: callOf(route, more), spoken: 'chat_completions' });
const argumentsOf = ({ answer }: Played): string[] =>
  answer.tools.map(({ name, arguments: args }) => `${name}${args}`);

describe.each(routes)('an empty finish reason, for %s', (route) => {
  it.each(['', ' ', 'null'])('is none: %j', (blank) => {
    const text = [chunk({ content: 'Hello' }, blank), chunk({ content: ' you' }, blank)];
    const { answer } = play(route, [role, ...text, chunk({}, 'stop'), usageFrame(), done].join(''));
    expect(answer).toMatchObject({ text: 'Hello you', ended: 'stop' });
  });

  it('leaves the arguments of a tool call whole', () => {
    const begun = { index: 0, id: 'a', function: { name: 'f', arguments: '' } };
    const pieces = ['{"a":', '1}'].map((args) => ({ index: 0, function: { arguments: args } }));
    const chunks = [begun, ...pieces].map((entry) => chunk({ tool_calls: [entry] }, ''));
    const { answer, whole } = play(route, [role, ...chunks, chunk({}, 'tool_calls'), done].join(''));
    expect(answer).toMatchObject({
      tools: [{ id: 'a', name: 'f', arguments: '{"a":1}' }],
      ended: 'tool_calls',
    });
    if (route === 'messages') expect(whole.match(/content_block_start"/g)).toHaveLength(1);
  });

  it('does not make a cut stream whole', () => {
    expect(play(route, role + chunk({ content: 'Hello' }, '')).relay.state).toBe('failed');
  });
});

describe.each(routes)('the last frame, without its empty line, for %s', (route) => {
  it.each([
    ['usage', [chunk({}, 'stop'), usageFrame().trimEnd()]],
    ['a finish reason', [chunk({}, 'stop', { usage }).trimEnd()]],
    ['text with a finish reason', [chunk({ content: '' }, 'stop', { usage }).trimEnd()]],
    ['a terminator', [chunk({}, 'stop', { usage }), done.trimEnd()]],
    ['a comment', [chunk({}, 'stop', { usage }), ': bye']],
    ['half an empty line', [chunk({}, 'stop', { usage }).trimEnd(), '\r\n']],
  ])('is taken: %s', (_, ends) => {
    const { relay, answer } = play(route, role + hello + ends.join(''));
    expect(relay).toMatchObject({ state: 'complete', usage: { inputTokens: 11, outputTokens: 7 } });
    expect(answer).toMatchObject({ text: 'Hello', ended: 'stop' });
  });

  it('that is cut makes no whole answer, and is told as a cut', () => {
    const { relay } = play(route, role + hello + chunk({}, 'stop') + usageFrame().slice(0, -9));
    expect(relay).toMatchObject({ state: 'failed', failure: { message: expect.stringContaining('closed') } });
  });

  it('that reports an error is that error', () => {
    const { relay } = play(route, role + hello + 'data: {"error":{"message":"Overloaded","code":503}}');
    expect(relay).toMatchObject({ state: 'failed', failure: { message: 'Overloaded', status: 503 } });
  });
});

describe.each(routes)('a chunk without choices, for %s', (route) => {
  const without = (rest: Json): string => frame({ id: 'c1', model: 's-1', ...rest });

  it.each([
    ['null', without({ choices: null, usage })],
    ['absent', without({ usage })],
    ['an empty list', without({ choices: [], usage })],
  ])('brings its usage: choices are %s', (_, last) => {
    const { relay, answer } = play(route, role + hello + chunk({}, 'stop') + last + done);
    expect(relay).toMatchObject({ state: 'complete', usage: { inputTokens: 11, outputTokens: 7 } });
    expect(answer).toMatchObject({ text: 'Hello', ended: 'stop' });
  });

  it('is ignored anywhere else', () => {
    const nothing = [
      without({ choices: null }),
      without({ object: 'ping' }),
      without({ choices: null, x: 'y' }),
    ];
    const stream = nothing.flatMap((one) => [one, role, one, hello, one, chunk({}, 'stop'), one]);
    const { relay, answer, whole } = play(route, stream.slice(0, 7).join('') + done);
    expect(relay.state).toBe('complete');
    expect(answer).toMatchObject({ text: 'Hello', ended: 'stop' });
    expect(whole).not.toContain('"choices":null');
  });
});

describe.each(routes)('a frame that says nothing, for %s', (route) => {
  it.each([
    ['data alone', 'data:\n\n'],
    ['a blank', 'data: \n\n'],
    ['blanks', 'data:  \t\n\n'],
    ['an event alone', 'event: ping\n\n'],
    ['an event with a blank', 'event: ping\ndata: \n\n'],
    ['a comment', ':\n\n'],
    ['an id', 'id: 4\nretry: 100\n\n'],
    ['empty lines', '\n\n\n'],
  ])('is ignored anywhere: %s', (_, nothing) => {
    const frames = [role, hello, chunk({}, 'stop'), usageFrame(), 'data: [DONE] \n\n'];
    const { relay, answer } = play(route, frames.map((one) => nothing + one).join('') + nothing);
    expect(relay).toMatchObject({ state: 'complete', usage: { inputTokens: 11, outputTokens: 7 } });
    expect(answer).toMatchObject({ text: 'Hello', ended: 'stop' });
  });
});

it('a chat caller that asked for usage gets it with a list of choices', () => {
  const asked = { stream_options: { include_usage: true } };
  const { whole } = play(
    'chat_completions',
    role + hello + chunk({}, 'stop') + usageFrame(usage, null) + done,
    asked,
  );
  expect(whole).toContain('"choices":[],"usage":{"prompt_tokens":11');
});

describe.each(routes)('a finish reason that OpenAI does not have, for %s', (route) => {
  it.each([
    ['model_length', 'length'],
    ['max_tokens', 'length'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['end_turn', 'stop'],
    ['eos', 'stop'],
  ] as const)('%s is told as %s', (reason, ended) => {
    expect(play(route, role + hello + chunk({}, reason) + usageFrame() + done).answer.ended).toBe(ended);
  });

  it.each(['error', 'insufficient_system_resource', 'abort', 'ERROR'])('%s is a failure', (reason) => {
    const { relay, answer } = play(route, role + hello + chunk({}, reason) + usageFrame() + done);
    expect(relay).toMatchObject({ state: 'failed', failure: { status: 502 } });
    expect(answer.ended).toBeNull();
  });

  it('has the message of the choice’s error', () => {
    const died = chunk({}, 'error', {}, { error: { code: 503, message: 'upstream died' } });
    expect(play(route, role + hello + died + done).relay).toMatchObject({
      failure: { message: 'upstream died', status: 503 },
    });
  });
});

describe.each(routes)('an error in the stream, for %s', (route) => {
  it.each([
    ['a list, as Google sends it', 'data: [{"error":{"code":503,"message":"Overloaded"}}]\n\n'],
    ['an object of its own', 'event: error\ndata: {"code":503,"message":"Overloaded"}\n\n'],
    ['an `error` that is an object', 'data: {"error":{"code":503,"message":"Overloaded"}}\n\n'],
    ['an `error` that is a text', 'data: {"error":"Overloaded"}\n\n'],
    ['an event of a list', 'event: error\ndata: [{"error":{"message":"Overloaded"}}]\n\n'],
    ['an event of a text', 'event: error\ndata: Overloaded\n\n'],
    ['an event with `detail`', 'event: error\ndata: {"detail":"Overloaded"}\n\n'],
  ])('is told with its message: %s', (_, error) => {
    const { relay } = play(route, role + hello + error + done);
    expect(relay).toMatchObject({ state: 'failed', failure: { message: 'Overloaded' } });
  });

  it.each(['[]', '[1]', '["x"]', '[{"a":1}]', '[[['])('is none in a list of something else: %s', (list) => {
    expect(play(route, `${role}data: ${list}\n\n`).relay.failure?.message).toContain('protocol');
  });
});

describe.each(routes)('a tool stop without a tool call, for %s', (route) => {
  it.each(['tool_calls', 'function_call', 'tool_use'])('is a usual end: %s', (reason) => {
    expect(play(route, role + hello + chunk({}, reason) + done).answer.ended).toBe('stop');
  });

  it.each([
    ['with arguments', call(0, 'a', 'f', '{"a":1}')],
    ['without arguments', call(0, 'a', 'f', '')],
    ['beside text', chunk({ content: 'x', tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }] })],
    ['in a frame like the one before', hello + hello + call(0, 'a', 'f', '{}')],
  ])('stays one after a tool call %s', (_, called) => {
    expect(play(route, role + called + chunk({}, 'tool_calls') + done).answer.ended).toBe('tool_calls');
  });
});

describe.each(translated)('tool calls that are not told apart by index and id, for %s', (route) => {
  const calls = (...pieces: string[]): string[] =>
    argumentsOf(play(route, [role, ...pieces, chunk({}, 'tool_calls'), usageFrame(), done].join('')));
  const more = (args: string): string => tool({ index: 0, function: { arguments: args } });

  it.each([
    ['empty ids', [call(0, '', 'f', '{"a":1}'), call(0, '', 'g', '{"b":2}')]],
    ['no ids', [call(0, undefined, 'f', '{"a":1}'), call(0, undefined, 'g', '{"b":2}')]],
    [
      'neither index nor id',
      [call(undefined, undefined, 'f', '{"a":1}'), call(undefined, '', 'g', '{"b":2}')],
    ],
    [
      'arguments in pieces',
      [call(0, '', 'f', ''), more('{"a"'), more(':1}'), call(0, '', 'g', ''), more('{"b":2}')],
    ],
    ['the first id alone', [call(0, 'a', 'f', '{"a":1}'), call(0, undefined, 'g', '{"b":2}')]],
    ['the same id', [call(0, 'x', 'f', '{"a":1}'), call(0, 'x', 'g', '{"b":2}')]],
    ['arguments as objects', [call(0, '', 'f', { a: 1 }), call(0, '', 'g', { b: 2 })]],
  ])('stay two, with %s', (_, pieces) => {
    expect(calls(...pieces)).toEqual(['f{"a":1}', 'g{"b":2}']);
  });

  it.each([
    ['at once', [call(0, '', 'f', '{"a":1}'), call(0, '', 'f', '{"a":2}')]],
    ['in pieces', [call(0, '', 'f', ''), more('{"a":1}'), call(0, '', 'f', ''), more('{"a":2}')]],
    ['by one id', [call(0, 'f', 'f', '{"a":1}'), call(0, 'f', 'f', '{"a":2}')]],
    [
      'in one list',
      [
        chunk({
          tool_calls: [1, 2].map((a) => ({
            index: 0,
            function: { name: 'f', arguments: `{"a":${String(a)}}` },
          })),
        }),
      ],
    ],
  ])('of one tool stay two, told %s', (_, pieces) => {
    expect(calls(...pieces)).toEqual(['f{"a":1}', 'f{"a":2}']);
  });

  it.each([
    ['its name in each piece', ['{"a"', ':1}', ''].map((args) => call(0, '', 'f', args))],
    ['its name and id in each piece', ['{"a"', ':1}', ''].map((args) => call(0, 'x', 'f', args))],
    ['all of it once more at the end', ['{"a":1}', '{"a":1}'].map((args) => call(0, 'x', 'f', args))],
  ])('stay one, with %s', (_, pieces) => {
    expect(calls(...pieces)).toEqual(['f{"a":1}']);
  });

  it('have ids of their own, however often the provider repeats one', () => {
    const same = [0, 1, 2].map((index) => call(index, 'f', 'f', `{"a":${String(index)}}`));
    const { answer } = play(route, [role, ...same, chunk({}, 'tool_calls'), done].join(''));
    const ids = answer.tools.map(({ id }) => id);
    expect(ids).toEqual(['f', 'call_c1_1', 'call_c1_2']);
  });
});

describe.each(translated)('the arguments of a tool call, for %s', (route) => {
  it.each([
    ['an object', { city: 'Oslo' }, '{"city":"Oslo"}'],
    ['a list', ['Oslo'], '["Oslo"]'],
    ['a text', '{"city":"Oslo"}', '{"city":"Oslo"}'],
  ])('arrive as text: %s', (_, args, text) => {
    const { answer } = play(route, role + call(0, 'a', 'f', args) + chunk({}, 'tool_calls') + done);
    expect(answer.tools).toMatchObject([{ arguments: text }]);
  });
});

it.each(translated)('a call in the deprecated form is a tool call, for %s', (route) => {
  const pieces = [{ name: 'f', arguments: '' }, { arguments: '{"a":' }, { arguments: '1}' }];
  const frames = pieces.map((one) => chunk({ function_call: one })).join('');
  const { answer } = play(route, role + frames + chunk({}, 'function_call') + done);
  expect(answer).toMatchObject({ tools: [{ name: 'f', arguments: '{"a":1}' }], ended: 'tool_calls' });
});

it.each(['', null, undefined, ' '])('arguments %j are an empty object in a response', (args) => {
  const { answer } = play('responses', role + call(0, 'a', 'f', args) + chunk({}, 'tool_calls') + done);
  expect(JSON.parse(answer.tools[0]!.arguments)).toEqual({});
});

describe.each(routes)('usage reports, for %s', (route) => {
  const relayed = (...frames: string[]) => play(route, [role, hello, ...frames, done].join('')).relay;
  const counted = (prompt: number, output: number, more: Json = {}): Json => ({
    prompt_tokens: prompt,
    completion_tokens: output,
    ...more,
  });

  it('never take a count back', () => {
    const first = chunk({}, 'stop', {
      usage: counted(100, 5, { prompt_tokens_details: { cached_tokens: 60 } }),
    });
    expect(relayed(first, usageFrame(counted(0, 0))).usage).toMatchObject({
      inputTokens: 40,
      cachedInputTokens: 60,
      outputTokens: 5,
    });
    expect(relayed(first, usageFrame(counted(100, 3))).usage).toMatchObject({ outputTokens: 5 });
    expect(relayed(first, usageFrame(counted(100, 8))).usage).toMatchObject({ outputTokens: 8 });
  });

  it('may come a counter at a time', () => {
    const [prompt, output] = [{ prompt_tokens: 11 }, { prompt_tokens: null, completion_tokens: 7 }];
    expect(relayed(usageFrame(prompt), chunk({}, 'stop'), usageFrame(output)).usage).toMatchObject({
      inputTokens: 11,
      outputTokens: 7,
    });
    expect(relayed(usageFrame(prompt), chunk({}, 'stop')).usage).toBeNull();
  });

  it.each([
    ['zeros', counted(0, 0)],
    ['no output', counted(11, 0)],
    ['no prompt', counted(0, 7)],
  ])('of %s beside text are none', (_, report) => {
    expect(relayed(chunk({}, 'stop'), usageFrame(report)).usage).toBeNull();
  });

  it('of no output are right where there is none', () => {
    const { relay } = play(route, role + chunk({}, 'stop') + usageFrame(counted(11, 0)) + done);
    expect(relay.usage).toMatchObject({ inputTokens: 11, outputTokens: 0 });
  });

  it.each([
    ['Moonshot’s cache reads', usageFrame(counted(1000, 10, { cached_tokens: 900 }))],
    [
      'DeepSeek’s cache reads',
      usageFrame(counted(1000, 10, { prompt_cache_hit_tokens: 900, prompt_cache_miss_tokens: 100 })),
    ],
    ['Mistral’s cache reads', usageFrame(counted(1000, 10, { num_cached_tokens: 900 }))],
    ['Moonshot’s place', chunk({}, 'stop', {}, { usage: counted(1000, 10, { cached_tokens: 900 }) })],
    [
      'Groq’s place',
      chunk({}, 'stop', {
        x_groq: { id: 'r', usage: counted(1000, 10, { prompt_tokens_details: { cached_tokens: 900 } }) },
      }),
    ],
  ])('are read at %s', (_, last) => {
    expect(relayed(chunk({}, 'stop'), last).usage).toMatchObject({
      inputTokens: 100,
      cachedInputTokens: 900,
      outputTokens: 10,
    });
  });

  it('count reasoning that the total has and the output lacks', () => {
    const grok = counted(32, 9, { total_tokens: 135, completion_tokens_details: { reasoning_tokens: 94 } });
    expect(relayed(chunk({}, 'stop'), usageFrame(grok)).usage).toMatchObject({
      outputTokens: 103,
      reasoningTokens: 94,
    });
    const gemini = counted(20, 151, { total_tokens: 553 });
    expect(relayed(chunk({}, 'stop'), usageFrame(gemini)).usage).toMatchObject({
      inputTokens: 20,
      outputTokens: 533,
    });
    const openai = counted(20, 151, {
      total_tokens: 171,
      completion_tokens_details: { reasoning_tokens: 100 },
    });
    expect(relayed(chunk({}, 'stop'), usageFrame(openai)).usage).toMatchObject({ outputTokens: 151 });
  });
});

describe('usage at a place of the provider’s own, for a chat caller', () => {
  const own = [
    ['in a choice', chunk({}, 'stop', {}, { usage })],
    ['in x_groq', chunk({}, 'stop', { x_groq: { id: 'r', usage } })],
    [
      'in x_groq of a chunk without a choice',
      chunk({}, 'stop') + frame({ id: 'c1', model: 's-1', choices: [], x_groq: { usage } }),
    ],
  ] as const;

  it.each(own)('is hidden where it did not ask: %s', (_, last) => {
    const { whole, answer } = play('chat_completions', role + hello + last + done);
    expect(whole).not.toContain('prompt_tokens');
    expect(answer.ended).toBe('stop');
  });

  it.each(own)('is told at the usual place where it asked: %s', (_, last) => {
    const asked = { stream_options: { include_usage: true } };
    const { whole } = play('chat_completions', role + hello + last + done, asked);
    const told = JSON.parse(whole.split('\n\n').at(-3)!.slice(6)) as Json;
    expect(told).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 11, completion_tokens: 7 },
      svc: 0,
    });
  });

  it('shows the usage that is charged where the last report took counts back', () => {
    const asked = { stream_options: { include_usage: true } };
    const zeros = { prompt_tokens: 0, completion_tokens: 0 };
    const stream = role + hello + chunk({}, 'stop') + usageFrame() + usageFrame(zeros) + done;
    const frames = play('chat_completions', stream, asked).whole.match(/"usage":\{"prompt_tokens":\d+/g);
    expect(frames).toEqual(['"usage":{"prompt_tokens":11']);
  });
});

describe.each(translated)('parts of the content, for %s', (route) => {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Let me think.' }] };

  it('that are reasoning are told as reasoning', () => {
    const { answer } = play(route, role + chunk({ content: [thinking] }) + hello + chunk({}, 'stop') + done);
    expect(answer).toMatchObject({ reasoning: 'Let me think.', text: 'Hello', ended: 'stop' });
  });

  it('that are text and reasoning keep their order', () => {
    const parts = [{ type: 'text', text: 'A' }, thinking, { type: 'text', text: 'B' }];
    const { answer, whole } = play(route, role + chunk({ content: parts }) + chunk({}, 'stop') + done);
    expect(answer).toMatchObject({ reasoning: 'Let me think.', text: 'AB' });
    expect(whole.indexOf('think.')).toBeGreaterThan(whole.indexOf('"A"'));
  });

  it('that have no counterpart are told as lost', () => {
    const parts = [
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: 'A' },
    ];
    const { relay } = play(route, role + chunk({ content: parts }) + chunk({}, 'stop') + done);
    expect(relay.losses.map(({ param }) => param)).toEqual(['content.reference']);
  });
});

/** The same JSON with the members of every object in another order. */
function shuffled(value: unknown, order: readonly number[], depth = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, order, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, one]) => [key, shuffled(one, order, depth + 1)] as const);
  const rank = (at: number): number => order[(at + depth) % order.length] ?? 0;
  return Object.fromEntries(
    members
      .map((member, at) => ({ member, at }))
      .sort((a, b) => rank(a.at) - rank(b.at))
      .map(({ member }) => member),
  );
}

describe.each(routes)('a stream of every oddity, for %s', (route) => {
  const frames = [
    chunk({ role: 'assistant', content: '' }, ''),
    chunk({ reasoning_content: 'Hm.' }, ''),
    frame({ id: 'c1', model: 's-1', choices: null }),
    chunk({ content: 'Hel' }, ''),
    chunk({ content: 'lo 漢 "usage":{}' }, ''),
    tool({ index: 0, id: 'x', type: 'function', function: { name: 'f', arguments: '{"a":' } }),
    tool({ index: 0, function: { arguments: '1}' } }),
    tool({ index: 1, id: 'y', type: 'function', function: { name: 'g', arguments: '{"b":[{}]}' } }),
    chunk({}, 'tool_use', {}, { usage: { prompt_tokens: 9, completion_tokens: 2, cached_tokens: 4 } }),
    usageFrame({ prompt_tokens: 0, completion_tokens: 0 }, null).trimEnd(),
  ];

  it('gives the same answer however its bytes are cut and its members are ordered', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        (cuts, order) => {
          const reordered = frames.map(
            (one) => `data: ${JSON.stringify(shuffled(JSON.parse(one.slice(6)), order))}\n\n`,
          );
          const { relay, answer } = playStream(reordered.join('').trimEnd(), {
            call: callOf(route),
            spoken: 'chat_completions',
            cuts,
          });
          expect(relay).toMatchObject({
            state: 'complete',
            usage: { inputTokens: 5, cachedInputTokens: 4, outputTokens: 2 },
            losses: [],
          });
          expect(answer).toEqual({
            text: 'Hello 漢 "usage":{}',
            reasoning: 'Hm.',
            tools: [
              { id: 'x', name: 'f', arguments: '{"a":1}' },
              { id: 'y', name: 'g', arguments: '{"b":[{}]}' },
            ],
            ended: 'tool_calls',
          });
        },
      ),
    );
  });
});

describe.each(translated)('the name of a tool in pieces, for %s', (route) => {
  const piece = (name: string, more: Json = {}): string => tool({ index: 0, function: { name }, ...more });
  const first = (name: string, id?: string): string => call(0, id, name, '');
  const given = (json: string): string => tool({ index: 0, function: { arguments: json } });

  it.each<[string, readonly string[]]>([
    ['whole', [first('get_weather', 'x')]],
    ['the rest alone', [first('get_', 'x'), piece('weather')]],
    ['three pieces', [first('get', 'x'), piece('_'), piece('weather')]],
    ['the rest with the id and the type', [first('get_', 'x'), first('weather', 'x')]],
    ['the rest without ids', [first('get_'), piece('weather')]],
    ['the name again', [first('get_weather', 'x'), piece('get_weather'), first('get_weather', 'x')]],
    ['all of it so far', [first('get_', 'x'), piece('get_weather')]],
    ['an empty piece', [first('get_weather', 'x'), piece('')]],
  ])('is whole: %s', (_, names) => {
    const withArguments = play(
      route,
      [role, ...names, given('{"a":'), given('1}'), chunk({}, 'tool_calls'), done].join(''),
    );
    expect(argumentsOf(withArguments)).toEqual(['get_weather{"a":1}']);
    const without = play(route, [role, ...names, chunk({}, 'tool_calls'), done].join(''));
    expect(without.answer.tools).toMatchObject([{ name: 'get_weather' }]);
    const beforeText = play(
      route,
      [role, hello, ...names, hello, chunk({ content: '!' }), chunk({}, 'tool_calls'), done].join(''),
    );
    expect(beforeText.answer.tools).toMatchObject([{ name: 'get_weather' }]);
    expect(beforeText.answer.text).toBe('HelloHello!');
  });

  it('with the first arguments in its last piece is whole', () => {
    const last = tool({ index: 0, function: { name: 'weather', arguments: '{}' } });
    expect(
      argumentsOf(play(route, role + first('get_', 'x') + last + chunk({}, 'tool_calls') + done)),
    ).toEqual(['get_weather{}']);
  });

  it('without an index is whole', () => {
    const pieces = [{ name: 'weather' }, { arguments: '{"a":' }, { arguments: '1}' }].map((one) =>
      tool({ function: one }),
    );
    const stream = [role, call(undefined, 'x', 'get_', ''), ...pieces, chunk({}, 'tool_calls'), done];
    expect(argumentsOf(play(route, stream.join('')))).toEqual(['get_weather{"a":1}']);
  });

  it.each([
    ['ids', [call(0, 'x', 'f', ''), call(0, 'y', 'g', '')]],
    ['indexes', [call(0, undefined, 'f', ''), call(1, undefined, 'g', '')]],
    ['types', [call(0, undefined, 'f', ''), call(0, undefined, 'g', '')]],
  ])('is not that of another call, which %s tell', (_, calls) => {
    const { answer } = play(route, role + calls.join('') + chunk({}, 'tool_calls') + done);
    expect(answer.tools.map(({ name }) => name)).toEqual(['f', 'g']);
  });
});

describe('arguments that are a JSON value, in a stream of the caller’s own protocol', () => {
  const called = (args: unknown): string => role + call(0, 'x', 'f', args) + chunk({}, 'tool_calls') + done;

  it.each([[{ text: 'Basel', days: [1, 2] }], [[1, 'x']], [{}]])(
    'are counted as their text is: %j',
    (args) => {
      const asValue = play('chat_completions', called(args));
      const asText = play('chat_completions', called(JSON.stringify(args)));
      expect(asValue.relay.outputBytes).toBe(JSON.stringify(JSON.stringify(args)).length - 2);
      expect(asValue.relay.outputBytes).toBe(asText.relay.outputBytes);
      expect(asValue.relay.state).toBe('complete');
    },
  );
});
