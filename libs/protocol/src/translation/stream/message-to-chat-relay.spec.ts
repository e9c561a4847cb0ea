import { encodeUtf8 } from '../../json/byte-text';
import { MessageToChatStreamRelay } from './message-to-chat-relay';

interface Chunk {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: Record<string, unknown>;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: unknown;
}

const frame = (type: string, rest: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const start = frame('message_start', {
  message: {
    id: 'msg_1',
    model: 's-1',
    usage: { input_tokens: 25, cache_creation_input_tokens: 3, cache_read_input_tokens: 7, output_tokens: 1 },
  },
});
const block = (index: number, content: object): string =>
  frame('content_block_start', { index, content_block: content });
const delta = (index: number, content: object): string =>
  frame('content_block_delta', { index, delta: content });
const blockStop = (index: number): string => frame('content_block_stop', { index });
const end = (stopReason: string, usage: object = { output_tokens: 42 }): string =>
  frame('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage }) +
  frame('message_stop');

function play(stream: string, caller: { usageRequested?: boolean; asFunctionCall?: boolean } = {}) {
  const relay = new MessageToChatStreamRelay({
    model: 'acme/small',
    createdAtSeconds: 1767225600,
    usageRequested: false,
    asFunctionCall: false,
    ...caller,
  });
  const pieces = relay.push(encodeUtf8(stream));
  relay.end();
  const last =
    relay.state === 'complete'
      ? relay.finish({ svc: { provider: 'acme' }, warnings: [{ param: 'seed' }] })
      : [];
  const text = Buffer.concat([...pieces, ...last]).toString();
  const data = text.split('\n\n').flatMap((part) => (part.startsWith('data: ') ? [part.slice(6)] : []));
  const chunks = data.filter((json) => json !== '[DONE]').map((json) => JSON.parse(json) as Chunk);
  return { relay, text, chunks, isDone: data.at(-1) === '[DONE]' };
}

const deltasOf = (chunks: readonly Chunk[]): unknown[] =>
  chunks.flatMap(({ choices }) => choices.map((choice) => choice.delta));

const text =
  block(0, { type: 'text', text: '' }) + delta(0, { type: 'text_delta', text: 'Hi 漢' }) + blockStop(0);
const tool =
  block(1, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }) +
  delta(1, { type: 'input_json_delta', partial_json: '' }) +
  delta(1, { type: 'input_json_delta', partial_json: '{"a":' }) +
  delta(1, { type: 'input_json_delta', partial_json: '1}' }) +
  blockStop(1);

describe('a messages stream for a chat caller', () => {
  it('sends id and name of a tool call once, then its arguments', () => {
    const { chunks } = play(start + text + tool + end('tool_use'));
    expect(deltasOf(chunks)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Hi 漢' },
      { tool_calls: [{ index: 0, id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
      {},
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('numbers tool calls separately from blocks, and gives one without arguments an empty object', () => {
    const second = block(2, { type: 'tool_use', id: 'toolu_2', name: 'g', input: {} }) + blockStop(2);
    const { chunks } = play(start + text + tool + second + end('tool_use'));
    expect(deltasOf(chunks).slice(-3)).toEqual([
      { tool_calls: [{ index: 1, id: 'toolu_2', type: 'function', function: { name: 'g', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      {},
    ]);
  });

  it('reads the input of a block that comes whole', () => {
    const whole = block(0, { type: 'tool_use', id: 't', name: 'g', input: { a: 'é' } }) + blockStop(0);
    expect(JSON.stringify(deltasOf(play(start + whole + end('tool_use')).chunks))).toContain(
      String.raw`{\"a\":\"é\"}`,
    );
  });

  it('streams thinking, and sends it once whole with its signature', () => {
    const thinking =
      block(0, { type: 'thinking', thinking: '', signature: '' }) +
      delta(0, { type: 'thinking_delta', thinking: 'H' }) +
      delta(0, { type: 'thinking_delta', thinking: 'm' }) +
      delta(0, { type: 'signature_delta', signature: 'EqQB' }) +
      blockStop(0);
    const deltas = deltasOf(play(start + thinking + tool + end('tool_use')).chunks);
    expect(deltas.slice(1, 3)).toEqual([{ reasoning_content: 'H' }, { reasoning_content: 'm' }]);
    const details = deltas.filter((one) => Object.hasOwn(one as object, 'reasoning_details'));
    expect(details).toEqual([
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'Hm', signature: 'EqQB', format: 'anthropic-claude-v1', index: 0 },
        ],
      },
    ]);
  });

  // https://github.com/BerriAI/litellm/issues/11789, bifrost #5354: counters of message_delta are totals.
  it('replaces the usage of the start with that of the end, cached tokens counted once', () => {
    const { relay, chunks } = play(start + text + end('end_turn', { input_tokens: 26, output_tokens: 42 }), {
      usageRequested: true,
    });
    expect(relay.usage).toMatchObject({ inputTokens: 26, cachedInputTokens: 7, cacheWriteTokens: 3 });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 36,
        completion_tokens: 42,
        total_tokens: 78,
        prompt_tokens_details: { cached_tokens: 7, cache_write_tokens: 3 },
      },
      svc: { provider: 'acme' },
      warnings: [{ param: 'seed' }],
    });
  });

  it('carries svc and warnings on the finish reason when usage was not requested', () => {
    const { chunks, isDone } = play(start + text + end('max_tokens'));
    expect(chunks.at(-1)).toMatchObject({
      id: 'msg_1',
      object: 'chat.completion.chunk',
      created: 1767225600,
      model: 'acme/small',
      choices: [{ finish_reason: 'length' }],
      svc: { provider: 'acme' },
      warnings: [{ param: 'seed' }],
    });
    expect(chunks.filter((chunk) => Object.hasOwn(chunk, 'svc'))).toHaveLength(1);
    expect(isDone).toBe(true);
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'length'],
    ['refusal', 'content_filter'],
    ['a_new_one', 'stop'],
  ])('ends %s as %s', (stopReason, finishReason) => {
    const { chunks } = play(start + text + end(stopReason));
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe(finishReason);
  });

  it('sends function_call to a caller that uses functions', () => {
    const { chunks } = play(start + tool + end('tool_use'), { asFunctionCall: true });
    expect(deltasOf(chunks).slice(1, 3)).toEqual([
      { function_call: { name: 'f', arguments: '' } },
      { function_call: { arguments: '{"a":' } },
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('function_call');
  });

  it('turns pings into comments once the answer has begun', () => {
    expect(play(frame('ping')).text).toBe('');
    expect(play(start + frame('ping')).text).toContain('\n\n: keep-alive\n\n');
  });

  it('reports blocks and citations without a counterpart in chat, and keeps the rest', () => {
    const { relay, chunks } = play(
      start +
        block(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }) +
        delta(0, { type: 'input_json_delta', partial_json: '{}' }) +
        blockStop(0) +
        block(1, { type: 'text', text: 'a' }) +
        delta(1, { type: 'citations_delta', citation: {} }) +
        blockStop(1) +
        end('end_turn'),
    );
    expect(relay.losses.map(({ param }) => param)).toEqual(['content.server_tool_use', 'content.citations']);
    expect(deltasOf(chunks)).toEqual([{ role: 'assistant', content: '' }, { content: 'a' }, {}]);
  });

  it('counts the bytes of text, thinking and arguments', () => {
    expect(play(start + text + tool).relay.outputBytes).toBe('Hi '.length + 3 + String.raw`{\"a\":1}`.length);
  });

  it.each([
    ['after message_stop without its empty line', (start + text + end('end_turn')).trimEnd(), 'complete'],
    ['after message_delta', start + text + end('end_turn').split('event: message_stop')[0], 'failed'],
    ['in the middle', start + text, 'failed'],
    ['before anything', '', 'failed'],
  ])('that ends %s is %s', (_, stream, state) => {
    const { relay, text: told } = play(stream);
    expect(relay.state).toBe(state);
    expect(told.includes('[DONE]')).toBe(state === 'complete');
  });

  it.each([
    [
      'an error',
      frame('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
      'Overloaded',
    ],
    [
      'what is not JSON',
      'event: content_block_delta\ndata: secret\n\n',
      'The provider’s stream broke its protocol.',
    ],
  ])('fails by %s and keeps what came before', (_, broken, message) => {
    const { relay, chunks, isDone } = play(start + text + broken + end('end_turn'));
    expect(relay).toMatchObject({ state: 'failed', failure: { message } });
    expect(deltasOf(chunks).at(-1)).toEqual({ content: 'Hi 漢' });
    expect(isDone).toBe(false);
  });

  it('fails on content before its start', () => {
    expect(play(text).relay).toMatchObject({ state: 'failed', started: false });
  });
});
