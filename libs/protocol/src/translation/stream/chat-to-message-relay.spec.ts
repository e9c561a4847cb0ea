import { encodeUtf8 } from '../../json/byte-text';
import { ChatToMessageStreamRelay } from './chat-to-message-relay';

interface Event {
  readonly type: string;
  readonly index?: number;
  readonly [member: string]: unknown;
}

const chunk = (rest: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 's-1', ...rest })}\n\n`;
const delta = (content: object, finishReason: string | null = null): string =>
  chunk({ choices: [{ index: 0, delta: content, finish_reason: finishReason }] });
const call = (rest: object): string => delta({ tool_calls: [rest] });
const role = delta({ role: 'assistant', content: '' });
const usage = chunk({
  choices: [],
  usage: { prompt_tokens: 30, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 20 } },
});
const done = 'data: [DONE]\n\n';

function play(stream: string): { relay: ChatToMessageStreamRelay; events: Event[]; passed: Event[] } {
  const relay = new ChatToMessageStreamRelay({ model: 'acme/small' });
  const pieces = relay.push(encodeUtf8(stream));
  relay.end();
  const last = relay.state === 'complete' ? relay.finish({ svc: { provider: 'acme' } }) : [];
  return { relay, passed: eventsIn(pieces), events: eventsIn([...pieces, ...last]) };
}

function eventsIn(pieces: readonly Uint8Array[]): Event[] {
  const frames = Buffer.concat(pieces)
    .toString()
    .split('\n\n')
    .filter((frame) => frame !== '');
  return frames.map((frame) => {
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
    const parsed = JSON.parse(data ?? '') as Event;
    expect(parsed.type).toBe(event);
    return parsed;
  });
}

/** Type and index of each event, without deltas. */
const outline = (events: readonly Event[]): string[] =>
  events
    .filter(({ type }) => type !== 'content_block_delta')
    .map(({ type, index }) => (index === undefined ? type : `${type} ${String(index)}`));

/** The arguments of each tool, by its name. */
function inputsOf(events: readonly Event[]): Record<string, string> {
  const names = new Map<number | undefined, string>();
  const inputs: Record<string, string> = {};
  for (const { type, index, content_block: block, delta: piece } of events) {
    if (type === 'content_block_start') names.set(index, (block as { name?: string }).name ?? '');
    const name = names.get(index) ?? '';
    if (name !== '') inputs[name] = (inputs[name] ?? '') + ((piece as Piece | undefined)?.partial_json ?? '');
  }
  return inputs;
}

interface Piece {
  readonly partial_json?: string;
}

describe('a chat stream for a messages caller', () => {
  // https://github.com/maximhq/bifrost/issues/4556: a second message_start makes SDKs throw.
  it('begins with exactly one message_start, also when the upstream repeats its role', () => {
    const { events } = play(role + role + delta({ content: 'a' }) + delta({}, 'stop') + done);
    expect(outline(events)).toEqual([
      'message_start',
      'content_block_start 0',
      'content_block_stop 0',
      'message_delta',
      'message_stop',
    ]);
  });

  // https://github.com/BerriAI/litellm/issues/34692: end_turn after tool calls, and an empty text block before them.
  it('ends in tool_use when tools were called, whatever the upstream says, and has no empty text block', () => {
    const stream = role + call({ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } });
    const { events } = play(stream + delta({ content: '' }, 'stop') + done);
    expect(outline(events).slice(1, 3)).toEqual(['content_block_start 0', 'content_block_stop 0']);
    expect(events[1]).toMatchObject({ content_block: { type: 'tool_use', id: 'c', name: 'f', input: {} } });
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', delta: { stop_reason: 'tool_use' } });
  });

  // https://github.com/BerriAI/litellm/issues/25321, 25836, 25561, 29491: arguments lost in translation.
  it.each([
    ['with the name', [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"a":1}' } }]],
    [
      'after it',
      [
        { index: 0, id: 'c', function: { name: 'f' } },
        { index: 0, function: { arguments: '{"a":1}' } },
      ],
    ],
    [
      'in pieces, name and id repeated',
      ['{"a', '":', '1}'].map((json) => ({ index: 0, id: 'c', function: { name: 'f', arguments: json } })),
    ],
    [
      'before the name',
      [
        { index: 0, id: 'c', function: { arguments: '{"a":' } },
        { index: 0, function: { name: 'f', arguments: '1}' } },
      ],
    ],
  ])('keeps a tool’s arguments that come %s', (_, pieces) => {
    const { events } = play(role + pieces.map(call).join('') + delta({}, 'tool_calls') + done);
    expect(inputsOf(events)).toEqual({ f: '{"a":1}' });
    expect(events.filter(({ type }) => type === 'content_block_start')).toHaveLength(1);
  });

  // https://github.com/BerriAI/litellm/issues/18238: text and tool call in one chunk.
  it('emits text and tool call of one chunk in this order', () => {
    const both = {
      content: 'Looking.',
      tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }],
    };
    const { events } = play(role + delta(both) + delta({}, 'tool_calls') + done);
    expect(outline(events).slice(1, -2)).toEqual([
      'content_block_start 0',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_stop 1',
    ]);
    expect(events[2]).toMatchObject({ index: 0, delta: { type: 'text_delta', text: 'Looking.' } });
  });

  // https://github.com/BerriAI/litellm/issues/29286: an empty list became an input_json_delta.
  it('ignores an empty list of tool calls', () => {
    const { events } = play(
      role + delta({ content: 'a', tool_calls: [] }) + delta({ tool_calls: [] }, 'stop') + done,
    );
    expect(JSON.stringify(events)).not.toContain('input_json_delta');
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' } });
  });

  // https://github.com/BerriAI/litellm/issues/15884: index -1, and calls without an id.
  it('gives every call an index from 0 on and an id', () => {
    const { events } = play(
      role +
        call({ index: -1, function: { name: 'f', arguments: '{}' } }) +
        call({ function: { name: 'g', arguments: '{}' } }) +
        delta({}, 'tool_calls') +
        done,
    );
    const starts = events.filter(({ type }) => type === 'content_block_start');
    expect(starts).toMatchObject([
      { index: 0, content_block: { id: 'call_chatcmpl-1_0', name: 'f' } },
      { index: 1, content_block: { id: 'call_chatcmpl-1_1', name: 'g' } },
    ]);
  });

  it('treats two ids at one index as two calls', () => {
    const { events } = play(
      role +
        call({ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }) +
        call({ index: 0, id: 'c2', function: { name: 'g', arguments: '{"b":2}' } }) +
        delta({}, 'tool_calls') +
        done,
    );
    expect(inputsOf(events)).toEqual({ f: '{"a":1}', g: '{"b":2}' });
  });

  it('puts interleaved pieces of parallel calls and text into blocks that do not overlap', () => {
    const { events } = play(
      role +
        call({ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a":"}' } }) +
        call({ index: 1, id: 'c2', function: { name: 'g', arguments: '{"b"' } }) +
        delta({ content: 'meanwhile' }) +
        call({ index: 1, function: { arguments: ':2}' } }) +
        call({ index: 0, function: { arguments: '\\""}' } }) +
        delta({}, 'tool_calls') +
        done,
    );
    expect(inputsOf(events)).toEqual({ f: '{"a":"}\\""}', g: '{"b":2}' });
    expect(outline(events).slice(1, -2)).toEqual(
      [0, 1, 2].flatMap((index) => [
        `content_block_start ${String(index)}`,
        `content_block_stop ${String(index)}`,
      ]),
    );
  });

  it('streams a call’s arguments as they come', () => {
    const { passed } = play(role + call({ index: 0, id: 'c', function: { name: 'f', arguments: '{"a"' } }));
    expect(passed.at(-1)).toMatchObject({ index: 0, delta: { partial_json: '{"a"' } });
  });

  // https://github.com/BerriAI/litellm/issues/31069, 11364, 40016: cache tokens lost, or counted twice.
  it('reports usage in message_delta, each token once', () => {
    const { events, relay } = play(role + delta({ content: 'a' }) + delta({}, 'stop') + usage + done);
    expect(events[0]).toMatchObject({ message: { usage: { input_tokens: 0, output_tokens: 0 } } });
    expect(events.at(-2)).toMatchObject({
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 0,
        output_tokens: 4,
      },
      svc: { provider: 'acme' },
    });
    expect(relay.usage).toMatchObject({ inputTokens: 10, cachedInputTokens: 20, outputTokens: 4 });
  });

  it('is complete without usage and terminator, as several compatible servers end', () => {
    const { relay, events } = play(role + delta({ content: 'a' }) + delta({}, 'length'));
    expect(relay).toMatchObject({ state: 'complete', usage: null, outputBytes: 1 });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'max_tokens' },
      usage: { output_tokens: 0 },
    });
  });

  it('emits a refusal as text, stop reason and explanation', () => {
    const { events } = play(
      role + delta({ refusal: 'No' }) + delta({ refusal: '.' }) + delta({}, 'stop') + done,
    );
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: 'No.' } },
    });
    expect(outline(events)).toContain('content_block_start 0');
  });

  it('signs thinking with the name of the field it came in', () => {
    const { events } = play(role + delta({ reasoning: 'Hm.' }) + delta({ content: 'a' }, 'stop') + done);
    expect(events.slice(1, 5)).toMatchObject([
      { content_block: { type: 'thinking' } },
      { delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { delta: { type: 'signature_delta', signature: 'reasoning' } },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  it('turns comments into pings once the answer has begun', () => {
    expect(outline(play(`: waiting\n\n${role}`).passed)).toEqual(['message_start']);
    expect(play(role + ': waiting\n\n').passed.at(-1)).toEqual({ type: 'ping' });
  });

  it('returns no bytes before the answer has begun', () => {
    const { relay, passed } = play(chunk({ choices: [] }));
    expect(passed).toEqual([]);
    expect(relay).toMatchObject({ started: false, state: 'failed' });
  });

  // https://github.com/Portkey-AI/gateway/issues/1797, litellm #40404: a cut stream that ended as success.
  it.each([
    ['in the middle', role + delta({ content: 'a' })],
    ['inside a frame', role + delta({ content: 'a' }, 'stop') + 'data: {"choi'],
    ['before anything', ''],
  ])('never ends whole when it was cut %s', (_, stream) => {
    const { relay, events } = play(stream);
    expect(relay.state).toBe('failed');
    expect(outline(events)).not.toContain('message_stop');
    expect(() => relay.finish({ svc: null })).toThrow('complete');
  });

  it.each([
    ['an error chunk', chunk({ error: { message: 'Overloaded', code: 'overloaded' } }), 'Overloaded'],
    ['an error event', 'event: error\ndata: {"message":"Too much"}\n\n', 'Too much'],
    ['what is not JSON', 'data: secret\n\n', 'The provider’s stream broke its protocol.'],
    ['choices that are no list', 'data: {"choices":1}\n\n', 'The provider’s stream broke its protocol.'],
  ])('fails by %s and keeps what came before', (_, frame, message) => {
    const { relay, passed } = play(role + delta({ content: 'a' }) + frame + done);
    expect(relay).toMatchObject({ state: 'failed', failure: { message } });
    expect(passed.at(-1)).toMatchObject({ delta: { text: 'a' } });
  });
});

describe('a frame that differs from the one before only in its text', () => {
  const piece = (content: string, rest = ''): string =>
    `data: {"id":"c","choices":[{"index":0,"delta":{"content":${content}${rest}},"finish_reason":null}]}\n\n`;

  it.each([
    ['escapes', piece('"\\"}]}\\n\\\\"'), '"}]}\n\\'],
    ['other letters', piece('"漢"'), '漢'],
    ['nothing in it', piece('""'), ''],
    ['a number in its place', piece('1'), ''],
    ['another member', piece('"b"', ',"refusal":"No"'), 'bNo'],
    ['a tool call', piece('"b"', ',"tool_calls":[{"index":0,"id":"c","function":{"name":"f"}}]'), 'b'],
  ])('is told whole with %s', (_, frame, expected) => {
    const { events } = play(role + piece('"a"') + frame + piece('"z"') + delta({}, 'stop') + done);
    const told = events.map(({ delta: one }) => (one as { text?: string } | undefined)?.text ?? '');
    expect(told.join('')).toBe(`a${expected}z`);
    expect(told).toHaveLength(events.length);
    expect(JSON.stringify(events).includes('tool_use')).toBe(frame.includes('tool_calls'));
  });
});
