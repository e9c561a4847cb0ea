import fc from 'fast-check';
import { decodeUtf8, encodeUtf8 } from '../json/byte-text';
import { type Operation } from '../call/operation';
import { StreamRecorder } from './stream-recorder';

type Json = Record<string, unknown>;
interface Frame {
  readonly event: string | null;
  readonly data: string;
}

/** The frames of a stream without comments. */
function framesOf(text: string): Frame[] {
  return text
    .split('\n\n')
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith(':')))
    .filter((lines) => lines.length > 0)
    .map((lines) => ({
      event: lines.find((line) => line.startsWith('event: '))?.slice(7) ?? null,
      data: lines.find((line) => line.startsWith('data: '))?.slice(6) ?? '',
    }));
}

/** Feeds the stream cut into pieces of these sizes, then the rest. */
function record(operation: Operation, text: string, sizes: readonly number[] = []): string {
  const recorder = new StreamRecorder(operation);
  let rest = encodeUtf8(text);
  for (const size of sizes) {
    recorder.push([rest.subarray(0, size)]);
    rest = rest.subarray(size);
  }
  recorder.push([rest]);
  return decodeUtf8(recorder.end()!);
}

/** The result of the OpenAI SDK's stream helper (`ChatCompletionStream`, `ChatCompletionAccumulator`). */
function accumulateChat(text: string): unknown {
  const choices = new Map<number, Json>();
  let head: Json = {};
  for (const { data } of framesOf(text)) {
    if (data === '[DONE]') continue;
    const { choices: parts, ...rest } = JSON.parse(data) as { choices: Json[] };
    head = { ...head, ...rest };
    for (const part of parts) accumulateChoice(choices, part);
  }
  return { head, choices: [...choices.entries()].sort(([a], [b]) => a - b), isDone: text.includes('[DONE]') };
}
function accumulateChoice(choices: Map<number, Json>, part: Json): void {
  const index = part['index'] as number;
  const choice = choices.get(index) ?? { calls: [], logprobs: {} };
  choices.set(index, choice);
  const { role, tool_calls: calls, reasoning_details: details, ...texts } = part['delta'] as Json;
  if (role !== undefined && role !== null) choice['role'] = role;
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value === 'string') choice[name] = `${(choice[name] as string | undefined) ?? ''}${value}`;
    else if (value !== null) choice[name] = value;
  }
  choice['details'] = [
    ...((choice['details'] as unknown[] | undefined) ?? []),
    ...((details as unknown[] | undefined) ?? []),
  ];
  for (const call of (calls as Json[] | undefined) ?? []) {
    const all = choice['calls'] as Json[];
    const begun = (all[call['index'] as number] ??= { arguments: '' });
    const { name, arguments: text } = call['function'] as Json;
    Object.assign(
      begun,
      call['id'] ? { id: call['id'] } : {},
      name ? { name } : {},
      call['type'] ? { type: call['type'] } : {},
    );
    begun['arguments'] = `${begun['arguments'] as string}${(text as string | undefined) ?? ''}`;
  }
  for (const [name, list] of Object.entries((part['logprobs'] ?? {}) as Json)) {
    const logprobs = choice['logprobs'] as Json;
    logprobs[name] = [
      ...((logprobs[name] as unknown[] | undefined) ?? []),
      ...((list as unknown[] | null) ?? []),
    ];
  }
  if (part['finish_reason'] !== null) choice['finish_reason'] = part['finish_reason'];
}

/** The result of the Anthropic SDK's `MessageStream`. */
function accumulateMessage(text: string): unknown {
  const blocks: Json[] = [];
  const others: unknown[] = [];
  for (const { event, data } of framesOf(text)) {
    if (event === 'ping') continue;
    const chunk = JSON.parse(data) as { index: number; content_block: Json; delta: Json };
    if (event === 'content_block_start') blocks[chunk.index] = { ...chunk.content_block, json: '' };
    else if (event === 'content_block_delta') applyDelta(blocks[chunk.index]!, chunk.delta);
    else if (event === 'content_block_stop') blocks[chunk.index]!['isStopped'] = true;
    else others.push([event, chunk]);
  }
  return { blocks, others };
}
function applyDelta(block: Json, delta: Json): void {
  const append = (name: string, piece: unknown) =>
    (block[name] = `${(block[name] as string | undefined) ?? ''}${piece as string}`);
  switch (delta['type']) {
    case 'text_delta':
      return void append('text', delta['text']);
    case 'thinking_delta':
      return void append('thinking', delta['thinking']);
    case 'input_json_delta':
      return void append('json', delta['partial_json']);
    case 'signature_delta':
      return void (block['signature'] = delta['signature']);
    default:
      block['citations'] = [...((block['citations'] as unknown[] | undefined) ?? []), delta['citation']];
  }
}

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'acme/small' };
const FINAL = { svc: { cost: { customer_nanos: 5, state: 'final' } } };
const chatFrame = (choice: Json | null, more: Json = {}): string =>
  `data: ${JSON.stringify({ ...HEAD, choices: choice === null ? [] : [choice], ...more })}\n\n`;
const messageFrame = (type: string, more: Json = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

const piece = fc.oneof(
  fc.constantFrom('', 'Hi', ' \n', '"\\', 'data: x\n\n', '😀'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const toolCall = fc.record(
  {
    index: fc.nat({ max: 2 }),
    id: fc.constantFrom('call_1', 'call_2', ''),
    type: fc.constant('function'),
    function: fc.record(
      { name: fc.constantFrom('weather', 'time', ''), arguments: piece },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['index', 'function'] },
);
const delta = fc.oneof(
  { weight: 6, arbitrary: piece.map((content) => ({ content })) },
  { weight: 3, arbitrary: fc.array(toolCall, { maxLength: 2 }).map((calls) => ({ tool_calls: calls })) },
  { weight: 2, arbitrary: piece.map((text) => ({ content: null, reasoning_content: text })) },
  piece.map((text) => ({ reasoning: text, reasoning_details: [{ type: 'reasoning.text', text, index: 0 }] })),
  piece.map((refusal) => ({ refusal })),
  piece.map((content) => ({ role: 'assistant', content })),
  fc.constantFrom<Json>(
    {},
    { content: null },
    { role: 'assistant', content: '' },
    { annotations: [{ url: 'x' }] },
  ),
);
const chatStream = fc
  .record({
    deltas: fc.array(
      fc.tuple(
        fc.nat({ max: 2 }),
        delta,
        fc.constantFrom(null, { content: [{ token: 'x' }], refusal: null }),
      ),
    ),
    comments: fc.boolean(),
  })
  .map(({ deltas, comments }) =>
    [
      ...deltas.map(([index, delta, logprobs]) =>
        chatFrame(
          { index, delta, finish_reason: null, ...(logprobs === null ? {} : { logprobs }) },
          { usage: null },
        ),
      ),
      ...(comments ? [': keep-alive\n\n'] : []),
      chatFrame({ index: 0, delta: {}, finish_reason: 'stop' }),
      chatFrame(null, { usage: { prompt_tokens: 1 }, ...FINAL }),
      'data: [DONE]\n\n',
    ].join(''),
  );

const blockDeltas = fc.oneof(
  fc.array(fc.record({ type: fc.constant('text_delta'), text: piece })),
  fc.array(fc.record({ type: fc.constant('input_json_delta'), partial_json: piece })),
  fc
    .array(fc.record({ type: fc.constant('thinking_delta'), thinking: piece }))
    .map((thoughts): Json[] => [...thoughts, { type: 'signature_delta', signature: 'c2ln' }]),
  fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('text_delta'), text: piece }),
      fc.constant({ type: 'citations_delta', citation: { cited_text: 'x' } }),
    ),
  ),
) as fc.Arbitrary<Json[]>;
const messageStream = fc.tuple(fc.array(blockDeltas, { maxLength: 4 }), fc.boolean()).map(([blocks, pings]) =>
  [
    messageFrame('message_start', { message: { id: 'msg_1', model: 'acme/small', content: [] } }),
    ...blocks.flatMap((deltas, index) => [
      messageFrame('content_block_start', { index, content_block: { type: 'any' } }),
      ...deltas.flatMap((delta) => [
        messageFrame('content_block_delta', { index, delta }),
        ...(pings ? [messageFrame('ping')] : []),
      ]),
      messageFrame('content_block_stop', { index }),
    ]),
    messageFrame('message_delta', {
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 3 },
      ...FINAL,
    }),
    messageFrame('message_stop'),
  ].join(''),
);
const cuts = fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 20 });

describe('a recorded stream', () => {
  it.each([
    ['chat_completions', chatStream, accumulateChat],
    ['messages', messageStream, accumulateMessage],
  ] as const)(
    'of %s gives a client the same result as the original, however that was cut',
    (operation, streams, accumulate) => {
      fc.assert(
        fc.property(streams, cuts, (text, sizes) => {
          const compact = record(operation, text, sizes);
          expect(accumulate(compact)).toEqual(accumulate(text));
          expect(record(operation, text)).toBe(compact);
        }),
        { numRuns: 500 },
      );
    },
  );

  it.each([
    ['chat_completions', chatStream, 2],
    ['messages', messageStream, 2],
  ] as const)('of %s ends in the same final frames, byte for byte', (operation, streams, count) => {
    fc.assert(
      fc.property(streams, (text) => {
        const last = (stream: string) => stream.split('\n\n').slice(-count - 1);
        expect(last(record(operation, text))).toEqual(last(text));
      }),
    );
  });

  it('of a chat has one frame of text also where each chunk has an empty finish reason', () => {
    const text = ['a', 'b', 'c'].map((content) =>
      chatFrame({ index: 0, delta: { content }, finish_reason: '' }),
    );
    const frames = framesOf(record('chat_completions', text.join('')));
    expect(frames).toHaveLength(1);
    expect(frames[0]!.data).toContain('"content":"abc"');
  });

  it('of a chat keeps arguments that are a JSON value', () => {
    const entries = [
      { index: 0, id: 'a', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: { city: 'Oslo' } } },
      { index: 0, function: { arguments: '' } },
    ];
    const text = entries.map((entry) =>
      chatFrame({ index: 0, delta: { tool_calls: [entry] }, finish_reason: null }),
    );
    expect(record('chat_completions', text.join(''))).toContain('"arguments":{"city":"Oslo"}');
  });

  it('of a chat has one frame of text and one of tool calls per choice', () => {
    const pieces = Array.from({ length: 200 }, (_, at) => String(at));
    const calls = (call: Json) => ({ tool_calls: [call] });
    const text = [
      ...[0, 1].map((index) =>
        chatFrame({ index, delta: { role: 'assistant', content: '' }, finish_reason: null }),
      ),
      ...pieces.flatMap((content) =>
        [0, 1].map((index) => chatFrame({ index, delta: { content }, finish_reason: null })),
      ),
      chatFrame({
        index: 0,
        delta: calls({ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }),
        finish_reason: null,
      }),
      ...pieces.map((json) =>
        chatFrame({
          index: 0,
          delta: calls({ index: 0, function: { arguments: json } }),
          finish_reason: null,
        }),
      ),
      chatFrame({ index: 0, delta: {}, finish_reason: 'tool_calls' }),
      chatFrame({ index: 1, delta: {}, finish_reason: 'stop' }, FINAL),
      'data: [DONE]\n\n',
    ].join('');
    const frames = framesOf(record('chat_completions', text));
    expect(frames).toHaveLength(6);
    const deltas = frames.slice(0, 3).map(({ data }) => (JSON.parse(data) as { choices: Json[] }).choices[0]);
    const content = pieces.join('');
    expect(deltas).toMatchObject([
      { index: 0, delta: { role: 'assistant', content } },
      { index: 1, delta: { role: 'assistant', content } },
      {
        index: 0,
        delta: { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'f', arguments: content } }] },
      },
    ]);
  });

  it('of a message has one delta per block, and a separate signature', () => {
    const pieces = Array.from({ length: 200 }, (_, at) => String(at));
    const block = (index: number, deltas: Json[]) => [
      messageFrame('content_block_start', { index, content_block: {} }),
      ...deltas.map((delta) => messageFrame('content_block_delta', { index, delta })),
      messageFrame('content_block_stop', { index }),
    ];
    const text = [
      messageFrame('message_start', { message: {} }),
      ...block(0, [
        ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: 'c2ln' },
      ]),
      ...block(
        1,
        pieces.map((piece) => ({ type: 'text_delta', text: piece })),
      ),
      ...block(
        2,
        pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      ),
      messageFrame('message_delta', { delta: { stop_reason: 'tool_use' }, ...FINAL }),
      messageFrame('message_stop'),
    ].join('');
    const joined = pieces.join('');
    const deltas = framesOf(record('messages', text))
      .filter(({ event }) => event === 'content_block_delta')
      .map(({ data }) => (JSON.parse(data) as { delta: Json }).delta);
    expect(deltas).toEqual([
      { type: 'thinking_delta', thinking: joined },
      { type: 'signature_delta', signature: 'c2ln' },
      { type: 'text_delta', text: joined },
      { type: 'input_json_delta', partial_json: joined },
    ]);
  });

  it('keeps unknown frames unchanged', () => {
    const odd =
      'data: {"choices":[{"index":0,"delta":{"audio":{"data":"AA=="}}}],"seed":12345678901234567890}\n\n';
    expect(record('chat_completions', odd + odd)).toBe(odd + odd);
  });

  it('is not recorded once it is longer than the bound, however it was cut', () => {
    const text = chatFrame({ index: 0, delta: { content: 'Hi' } }) + 'data: [DONE]\n\n';
    const recordWithin = (bytesMax: number, at: number) => {
      const recorder = new StreamRecorder('chat_completions', bytesMax);
      recorder.push([encodeUtf8(text.slice(0, at)), encodeUtf8(text.slice(at))]);
      return recorder.end();
    };
    fc.assert(
      fc.property(fc.nat({ max: text.length }), (at) => {
        expect(recordWithin(text.length, at)).toEqual(encodeUtf8(text));
        expect(recordWithin(text.length - 1, at)).toBeNull();
      }),
    );
  });
});
