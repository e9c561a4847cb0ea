import fc from 'fast-check';
import { type GenerativeOperation } from '../call/operation';
import { parseCall } from '../call/parse-call';
import { encodeUtf8 } from '../json/byte-text';
import { relayForCall } from '../stream/relay-for-call';
import { type StreamRelay } from '../stream/stream-relay';
import { translatedRelayForCall } from '../translation/stream/translated-relay';
import { usageReport } from '../usage/usage-report';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const pieces = fc.array(text, { minLength: 1, maxLength: 6 });

/** The answer of a model: reasoning, text and the arguments of two tools, each in pieces. */
const answer = fc.record({ reasoning: pieces, content: pieces, first: pieces, second: pieces });
type Said = typeof answer extends fc.Arbitrary<infer T> ? T : never;

const data = (value: unknown, event = ''): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;

function chatStream({ reasoning, content, first, second }: Said): string {
  const chunk = (delta: object, finish: string | null = null): string =>
    data({
      id: 'c',
      object: 'chat.completion.chunk',
      model: 's-1',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const opened = (index: number): string =>
    chunk({ tool_calls: [{ index, id: `call_${String(index)}`, function: { name: 'f', arguments: '' } }] });
  const piece = (index: number) => (json: string) =>
    chunk({ tool_calls: [{ index, function: { arguments: json } }] });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...reasoning.map((told) => chunk({ reasoning_content: told })),
    ...content.map((told) => chunk({ content: told })),
    opened(0),
    opened(1),
    ...first.flatMap((json, at) => [piece(0)(json), ...second.slice(at, at + 1).map(piece(1))]),
    ...second.slice(first.length).map(piece(1)),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ].join('');
}

function messageStream({ reasoning, content, first, second }: Said): string {
  const event = (type: string, more: object = {}): string => data({ type, ...more }, type);
  const block = (index: number, opening: object, deltas: readonly object[]): string =>
    event('content_block_start', { index, content_block: opening }) +
    deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
    event('content_block_stop', { index });
  const tool = (index: number, json: readonly string[]): string =>
    block(
      index,
      { type: 'tool_use', id: `toolu_${String(index)}`, name: 'f', input: {} },
      json.map((partial) => ({ type: 'input_json_delta', partial_json: partial })),
    );
  return [
    event('message_start', { message: { id: 'm', type: 'message', model: 's-1', content: [] } }),
    block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      reasoning.map((thinking) => ({ type: 'thinking_delta', thinking })),
    ),
    block(
      1,
      { type: 'text', text: '' },
      content.map((told) => ({ type: 'text_delta', text: told })),
    ),
    tool(2, first),
    tool(3, second),
    event('message_delta', { delta: { stop_reason: 'tool_use' } }),
    event('message_stop'),
  ].join('');
}

const prompt = { messages: [{ role: 'user', content: 'Hi' }] };
const bodies: Readonly<Record<GenerativeOperation, object>> = {
  chat_completions: { ...prompt, stream_options: { include_usage: true } },
  messages: { ...prompt, max_tokens: 9 },
  responses: { input: 'Hi' },
};

const call = (operation: GenerativeOperation) =>
  parseCall(
    operation,
    encodeUtf8(JSON.stringify({ model: 'acme/small', stream: true, ...bodies[operation] })),
  );

const translated = (operation: GenerativeOperation, spoken: GenerativeOperation): StreamRelay =>
  translatedRelayForCall(call(operation), { createdAtSeconds: 1, spoken });

/** The stream of a provider that reports no usage. */
function responseStream(said: Said): string {
  const relay = translated('responses', 'chat_completions');
  const sent = relay.push(encodeUtf8(chatStream(said)));
  return Buffer.concat([...sent, ...relay.finish({ svc: null })]).toString();
}

interface Case {
  readonly operation: GenerativeOperation;
  readonly streamOf: (said: Said) => string;
  readonly newRelay: () => StreamRelay;
}

const native = (operation: GenerativeOperation, streamOf: Case['streamOf']): Case => ({
  operation,
  streamOf,
  newRelay: () => relayForCall(call(operation)),
});

const fromChat = (operation: GenerativeOperation): Case => ({
  operation,
  streamOf: chatStream,
  newRelay: () => translated(operation, 'chat_completions'),
});
const fromMessages = (operation: GenerativeOperation): Case => ({
  operation,
  streamOf: messageStream,
  newRelay: () => translated(operation, 'messages'),
});

const cases: [string, Case][] = [
  ['chat', native('chat_completions', chatStream)],
  ['messages', native('messages', messageStream)],
  ['responses', native('responses', responseStream)],
  ['chat to messages', fromChat('messages')],
  ['chat to responses', fromChat('responses')],
  ['messages to chat', fromMessages('chat_completions')],
  ['messages to responses', fromMessages('responses')],
];

const counted = {
  inputTokens: 7,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 5,
  reasoningTokens: 2,
};

/** The frame that carries the usage, in each operation's stream. */
const carriers: Readonly<Record<GenerativeOperation, (usage: unknown) => object>> = {
  chat_completions: (usage) => ({
    svc: 0,
    usage,
    object: 'chat.completion.chunk',
    model: 'acme/small',
    choices: [],
  }),
  messages: (usage) => ({ svc: 0, usage, type: 'message_delta' }),
  responses: (usage) => ({ type: 'response.completed', response: { svc: 0, usage } }),
};

describe.each(cases)('a stream of %s', (_name, { operation, streamOf, newRelay }) => {
  function play(stream: string, cuts: readonly number[] = []): { relay: StreamRelay; told: string } {
    const relay = newRelay();
    relay.keepOutput();
    const bytes = encodeUtf8(stream);
    const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
    const sent = places.flatMap((from, at) => relay.push(bytes.subarray(from, places[at + 1] ?? from)));
    relay.end();
    expect(relay.state).toBe('complete');
    const last = relay.finish({ svc: 0, usage: usageReport(operation, counted) });
    return { relay, told: Buffer.concat([...sent, ...last]).toString() };
  }

  it('keeps all that was generated, each text whole', () => {
    fc.assert(
      fc.property(answer, fc.array(fc.nat(), { maxLength: 4 }), (said, cuts) => {
        const { relay } = play(streamOf(said), cuts);
        const kept = JSON.parse(Buffer.from(relay.keptOutput!.toJson()).toString()) as [string, string][];
        const { reasoning, content, first, second } = said;
        const whole = [reasoning, content, first, second].map((texts) => texts.join(''));
        expect(kept.map(([, one]) => one).sort()).toEqual(whole.sort());
        expect(relay.usage).toBeNull();
      }),
      { numRuns: 100 },
    );
  });

  it('has the usage that was counted where it would have the provider’s', () => {
    const { told } = play(streamOf({ reasoning: ['Hm'], content: ['Hi'], first: ['{}'], second: ['{}'] }));
    const frames = told.match(/^data: \{.*/gm)!.map((line) => JSON.parse(line.slice(6)) as object);
    const carrier = frames.findLast((frame) => 'usage' in frame || 'response' in frame)!;
    expect(carrier).toMatchObject(carriers[operation](usageReport(operation, counted)));
  });
});

it('a messages stream begins with counters that clients can read', () => {
  const relay = relayForCall(call('messages'));
  relay.keepOutput();
  const [begun] = relay.push(
    encodeUtf8(messageStream({ reasoning: [], content: ['Hi'], first: [], second: [] })),
  );
  expect(Buffer.from(begun!).toString()).toContain('"usage":{"input_tokens":0,"output_tokens":0}');
});

it.each(['messages', 'chat_completions', 'responses'] as const)(
  'a messages stream for %s that reports only at its start has no usage, one that reports at its end has',
  (operation) => {
    const silent = messageStream({ reasoning: [], content: ['Hi'], first: [], second: [] });
    const atStart = silent.replace(
      '"content":[]',
      '"content":[],"usage":{"input_tokens":7,"output_tokens":0}',
    );
    const atEnd = atStart.replace(
      '"delta":{"stop_reason"',
      '"usage":{"output_tokens":5},"delta":{"stop_reason"',
    );
    const played = (stream: string) => {
      const relay =
        operation === 'messages' ? relayForCall(call(operation)) : translated(operation, 'messages');
      relay.push(encodeUtf8(stream));
      return relay;
    };
    expect(played(atStart)).toMatchObject({ usage: null, reportedSoFar: { inputTokens: 7 } });
    expect(played(atEnd)).toMatchObject({ usage: { inputTokens: 7, outputTokens: 5 } });
  },
);
