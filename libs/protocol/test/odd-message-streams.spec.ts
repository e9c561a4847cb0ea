import fc from 'fast-check';
import { type GenerativeOperation } from '../src/call/operation';
import { callOf, type Played, playStream } from '../src/testing/caller-answer';

type Json = Record<string, unknown>;

const event = (type: string, rest: Json = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const start = (usage: Json | null = { input_tokens: 10, output_tokens: 1 }): string =>
  event('message_start', {
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 's-1', content: [], usage },
  });
const block = (index: number, opening: Json, ...deltas: Json[]): string =>
  event('content_block_start', { index, content_block: opening }) +
  deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
  event('content_block_stop', { index });
const hello = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hello' });
const tool = (index: number, id: string): string =>
  block(
    index,
    { type: 'tool_use', id, name: 'f', input: {} },
    { type: 'input_json_delta', partial_json: '{"a":1}' },
  );
const end = (reason: unknown, usage: Json | null = { output_tokens: 5 }, more: Json = {}): string =>
  event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage, ...more });
const stop = event('message_stop');

const routes = ['chat_completions', 'messages', 'responses'] as const;
const translated = ['chat_completions', 'responses'] as const;
const play = (route: GenerativeOperation, ...frames: string[]): Played =>
  playStream(frames.join(''), { call: callOf(route), spoken: 'messages' });

describe.each(routes)('the usage of a messages stream, for %s', (route) => {
  const usageOf = (first: Json | null, last: Json | null) =>
    play(route, start(first), hello, end('end_turn', last), stop).relay.usage;

  it.each([
    ['all counters are zeros', { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 }],
    ['the cache reads are zero', { input_tokens: 1000, cache_read_input_tokens: 0, output_tokens: 5 }],
    ['the input is zero', { input_tokens: 0, output_tokens: 5 }],
    ['the input is not told', { output_tokens: 5 }],
  ])('takes no count back where at its end %s', (_, last) => {
    const first = { input_tokens: 1000, cache_read_input_tokens: 500, output_tokens: 1 };
    expect(usageOf(first, last)).toMatchObject({
      inputTokens: 1000,
      cachedInputTokens: 500,
      outputTokens: 5,
    });
  });

  it('keeps the greater count of output', () => {
    expect(usageOf({ input_tokens: 9, output_tokens: 8 }, { output_tokens: 5 })).toMatchObject({
      outputTokens: 8,
    });
  });

  it('counts a prompt once that is told apart at the end', () => {
    const last = { input_tokens: 200, cache_read_input_tokens: 800, output_tokens: 5 };
    expect(usageOf({ input_tokens: 1000, output_tokens: 1 }, last)).toMatchObject({
      inputTokens: 200,
      cachedInputTokens: 800,
    });
  });

  it.each([null, {}, { output_tokens: null }, { input_tokens: 10 }])(
    'is none where its end reports %j',
    (last) => {
      const { relay } = play(route, start(), hello, end('end_turn', last), stop);
      expect(relay).toMatchObject({ state: 'complete', usage: null, reportedSoFar: { inputTokens: 10 } });
    },
  );

  it.each([
    ['zeros', { input_tokens: 0, output_tokens: 0 }, { input_tokens: 0, output_tokens: 0 }],
    ['no output', { input_tokens: 10, output_tokens: 0 }, { output_tokens: 0 }],
    ['no prompt', { input_tokens: 0, output_tokens: 0 }, { output_tokens: 5 }],
  ])('is none where it has %s beside text', (_, first, last) => {
    expect(usageOf(first, last)).toBeNull();
  });
});

describe.each(routes)('the stop reason of a messages stream, for %s', (route) => {
  it.each([
    ['length', 'length'],
    ['model_length', 'length'],
    ['stop', 'stop'],
    ['content_filter', 'content_filter'],
  ] as const)('that is not one of Anthropic’s is told in its words: %s', (reason, ended) => {
    expect(play(route, start(), hello, end(reason), stop).answer.ended).toBe(ended);
  });

  it.each(['', null, ' '])('that is blank is none: %j', (blank) => {
    const { answer } = play(route, start(), end(blank), hello, end('max_tokens'), stop);
    expect(answer).toMatchObject({ text: 'Hello', ended: 'length' });
  });

  it.each(['error', 'abort'])('%s is a failure', (reason) => {
    const error = { error: { message: 'upstream died', type: 'api_error' } };
    const { relay, answer } = play(route, start(), hello, end(reason, { output_tokens: 5 }, error), stop);
    expect(relay).toMatchObject({ state: 'failed', failure: { message: 'upstream died', status: 500 } });
    expect(answer.ended).toBeNull();
  });

  it('of a tool call without one is a usual end', () => {
    expect(play(route, start(), hello, end('tool_use'), stop).answer.ended).toBe('stop');
    expect(play(route, start(), tool(0, 'a'), end('tool_use'), stop).answer.ended).toBe('tool_calls');
  });
});

describe.each(routes)('the last frame of a messages stream, without its empty line, for %s', (route) => {
  it.each([
    ['message_stop', stop.trimEnd()],
    ['a comment after it', `${stop}: bye`],
  ])('is taken: %s', (_, last) => {
    const { relay, answer } = play(route, start(), hello, end('end_turn'), last);
    expect(relay.state).toBe('complete');
    expect(answer).toMatchObject({ text: 'Hello', ended: 'stop' });
  });

  it('that reports an error is that error', () => {
    const error = event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }).trimEnd();
    expect(play(route, start(), hello, error).relay).toMatchObject({ failure: { message: 'Overloaded' } });
  });
});

describe.each(translated)('a messages stream that is translated, for %s', (route) => {
  it('has ids of its own for its calls, however often the provider repeats one', () => {
    const { answer } = play(route, start(), tool(0, 'f'), tool(1, 'f'), end('tool_use'), stop);
    expect(answer.tools.map(({ id }) => id)).toEqual(['f', 'call_msg_1_1']);
  });

  it.each([
    ['at a block’s beginning', block(0, { type: 'text', text: 'Yes.', citations: [{ cited_text: 'x' }] })],
    [
      'in a delta',
      block(0, { type: 'text', text: '' }, { type: 'citations_delta', citation: { cited_text: 'x' } }),
    ],
  ])('tells that citations are lost: %s', (_, cited) => {
    const { relay } = play(route, start(), cited, end('end_turn'), stop);
    expect(relay.losses.map(({ param }) => param)).toEqual(['content.citations']);
  });

  it('takes a tool’s arguments that come as an object', () => {
    const opening = { type: 'tool_use', id: 'a', name: 'f', input: {} };
    const called = block(0, opening, { type: 'input_json_delta', partial_json: { city: 'Oslo' } });
    const { answer } = play(route, start(), called, end('tool_use'), stop);
    expect(answer.tools).toMatchObject([{ arguments: '{"city":"Oslo"}' }]);
  });
});

it.each(routes)('a frame of a messages stream that says nothing is ignored, for %s', (route) => {
  const frames = [start(), hello, end('end_turn'), stop].map(
    (one) => `data:\n\nevent: ping\ndata: \n\n${one}`,
  );
  expect(play(route, frames.join('')).relay).toMatchObject({ state: 'complete' });
});

describe.each(routes)('an error in a messages stream, for %s', (route) => {
  it.each([
    ['in `error`', '{"type":"error","error":{"type":"api_error","message":"Overloaded"}}'],
    ['at the top', '{"message":"Overloaded"}'],
    ['in a list', '[{"error":{"message":"Overloaded"}}]'],
    ['as a text', 'Overloaded'],
  ])('is told with its message: %s', (_, data) => {
    const { relay } = play(route, start(), hello, `event: error\ndata: ${data}\n\n`);
    expect(relay).toMatchObject({ state: 'failed', failure: { message: 'Overloaded' } });
  });
});

it('a caller whose `function_call` holds one call is told of the others', () => {
  const functions = [{ name: 'f', parameters: {} }];
  const { relay, whole } = playStream([start(), tool(0, 'a'), tool(1, 'b'), end('tool_use'), stop].join(''), {
    call: callOf('chat_completions', { functions }),
    spoken: 'messages',
  });
  expect(relay.losses.map(({ param }) => param)).toEqual(['content.tool_use']);
  expect(whole.match(/"name":"f"/g)).toHaveLength(1);
  expect(whole).toContain('"finish_reason":"function_call"');
});

describe.each(routes)('a messages stream of every oddity, for %s', (route) => {
  const stream = [
    start({ input_tokens: 100, cache_read_input_tokens: 50, output_tokens: 0 }),
    end(''),
    block(0, { type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: 'Hm.' }),
    block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hello 漢' }),
    tool(2, 'x'),
    end('tool_calls', { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 }),
    stop.trimEnd(),
  ].join('');

  it('gives the same answer however its bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 8 }), (cuts) => {
        const { relay, answer } = playStream(stream, { call: callOf(route), spoken: 'messages', cuts });
        expect(relay).toMatchObject({
          state: 'complete',
          usage: { inputTokens: 100, cachedInputTokens: 50, outputTokens: 9 },
        });
        expect(answer).toEqual({
          text: 'Hello 漢',
          reasoning: 'Hm.',
          tools: [{ id: 'x', name: 'f', arguments: '{"a":1}' }],
          ended: 'tool_calls',
        });
      }),
    );
  });
});

describe('a responses stream', () => {
  const response = (more: Json): Json => ({
    id: 'resp_1',
    object: 'response',
    model: 's-1',
    output: [],
    ...more,
  });
  const created = event('response.created', { response: response({ status: 'in_progress' }) });
  const delta = event('response.output_text.delta', { output_index: 0, content_index: 0, delta: 'Hello' });
  const completed = (more: Json): string =>
    event('response.completed', { response: response({ status: 'completed', ...more }) });
  const relayOf = (...frames: string[]) =>
    playStream(frames.join(''), { call: callOf('responses'), spoken: 'responses' }).relay;

  it('ends whole in a last event without its empty line', () => {
    const usage = { input_tokens: 9, output_tokens: 4 };
    expect(relayOf(created, delta, completed({ usage }).trimEnd())).toMatchObject({
      state: 'complete',
      usage: { inputTokens: 9, outputTokens: 4 },
    });
  });

  it('fails by a last event without its empty line that tells so', () => {
    const failed = event('response.failed', { response: response({ error: { message: 'Died.' } }) });
    expect(relayOf(created, delta, failed.trimEnd())).toMatchObject({ failure: { message: 'Died.' } });
  });

  it('fails where its last event says that it was not generated', () => {
    const failed = completed({ status: 'failed', error: { code: 'server_error', message: 'Died.' } });
    expect(relayOf(created, delta, failed)).toMatchObject({
      state: 'failed',
      failure: { message: 'Died.', status: 500 },
    });
  });

  it('has no usage where the report has zeros beside text', () => {
    expect(
      relayOf(created, delta, completed({ usage: { input_tokens: 0, output_tokens: 0 } })).usage,
    ).toBeNull();
  });
});
