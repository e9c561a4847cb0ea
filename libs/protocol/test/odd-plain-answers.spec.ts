import { type PlainAnswer, readPlainAnswer } from '../src/answer/plain-answer';
import { type GenerativeOperation, type Operation } from '../src/call/operation';
import { encodeUtf8 } from '../src/json/byte-text';
import { callOf } from '../src/testing/caller-answer';
import { translatePlainAnswer } from '../src/translation/answer/translate-answer';

type Json = Record<string, unknown>;

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const completion = (
  message: Json,
  finish: unknown = 'stop',
  report: unknown = usage,
  more: Json = {},
): Json => ({
  id: 'c1',
  object: 'chat.completion',
  model: 's-1',
  choices: [
    { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finish, ...more },
  ],
  usage: report,
});
const message = (
  content: Json[],
  reason: unknown = 'end_turn',
  report: unknown = { input_tokens: 11, output_tokens: 7 },
): Json => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 's-1',
  content,
  stop_reason: reason,
  usage: report,
});

function read(route: GenerativeOperation, answer: Json, spoken: Operation): PlainAnswer | null {
  const bytes = encodeUtf8(JSON.stringify(answer));
  if (route === spoken) return readPlainAnswer(route, bytes);
  return translatePlainAnswer(callOf(route), bytes, { createdAtSeconds: 1, spoken });
}
const told = (route: GenerativeOperation, answer: Json, spoken: Operation = 'chat_completions'): Json =>
  JSON.parse(Buffer.from(read(route, answer, spoken)!.bytes).toString()) as Json;

const routes = ['chat_completions', 'messages', 'responses'] as const;

describe('why a plain chat completion ended', () => {
  it.each([
    [
      'model_length',
      { choices: [{ finish_reason: 'length' }] },
      'max_tokens',
      { reason: 'max_output_tokens' },
    ],
    ['tool_calls', { choices: [{ finish_reason: 'stop' }] }, 'end_turn', null],
    ['SAFETY', { choices: [{ finish_reason: 'content_filter' }] }, 'refusal', { reason: 'content_filter' }],
  ])('is told in the words of each protocol: %s', (reason, chat, stopReason, incomplete) => {
    const answer = completion({ content: 'Half an ans' }, reason);
    expect(told('chat_completions', answer)).toMatchObject(chat);
    expect(told('messages', answer)).toMatchObject({ stop_reason: stopReason });
    expect(told('responses', answer)).toMatchObject({ incomplete_details: incomplete });
  });

  it.each(routes)('makes it no answer where it is an error, for %s', (route) => {
    expect(read(route, completion({ content: 'a' }, 'error'), 'chat_completions')).toBeNull();
    expect(
      read(route, completion({ content: 'a' }, 'insufficient_system_resource'), 'chat_completions'),
    ).toBeNull();
    expect(read(route, { ...completion({}), error: { message: 'Died.' } }, 'chat_completions')).toBeNull();
  });

  it('changes no other byte, and nothing in a usual answer', () => {
    const text =
      '{"choices": [ {"index":0, "message":{"content":"a"}, "finish_reason" : "model_length"} , 1], "n":1.0}';
    expect(Buffer.from(readPlainAnswer('chat_completions', encodeUtf8(text))!.bytes).toString()).toBe(
      text.replace('model_length', 'length'),
    );
    const usual = encodeUtf8(text.replace('model_length', 'stop'));
    expect(readPlainAnswer('chat_completions', usual)!.bytes).toBe(usual);
  });
});

describe('why a plain message ended', () => {
  it.each([
    ['length', 'max_tokens', 'length'],
    ['tool_use', 'end_turn', 'stop'],
  ])('is told in the words of each protocol: %s', (reason, stopReason, finishReason) => {
    const answer = message([{ type: 'text', text: 'Hello' }], reason);
    expect(told('messages', answer, 'messages')).toMatchObject({ stop_reason: stopReason });
    expect(told('chat_completions', answer, 'messages')).toMatchObject({
      choices: [{ finish_reason: finishReason }],
    });
  });

  it.each(routes)('makes it no answer where it is an error, for %s', (route) => {
    expect(read(route, message([{ type: 'text', text: 'a' }], 'error'), 'messages')).toBeNull();
  });
});

describe('the tool calls of a plain chat completion', () => {
  const calls = (...args: unknown[]): Json =>
    completion(
      {
        tool_calls: args.map((one) => ({
          id: 'f',
          type: 'function',
          function: { name: 'f', arguments: one },
        })),
      },
      'tool_calls',
    );

  it('have arguments and ids of their own in a message', () => {
    expect(told('messages', calls({ city: 'Oslo' }, '', '{"a":1}'))).toMatchObject({
      content: [
        { id: 'f', input: { city: 'Oslo' } },
        { id: 'call_c1_1', input: {} },
        { id: 'call_c1_2', input: { a: 1 } },
      ],
    });
  });

  it('have arguments and ids of their own in a response', () => {
    expect(told('responses', calls({ city: 'Oslo' }, '', null))).toMatchObject({
      output: [
        { call_id: 'f', arguments: '{"city":"Oslo"}' },
        { call_id: 'call_c1_1', arguments: '{}' },
        { call_id: 'call_c1_2', arguments: '{}' },
      ],
    });
  });
});

it('a call in the deprecated form is a tool call in a plain message and a plain response', () => {
  const answer = completion({ function_call: { name: 'f', arguments: '{"a":1}' } }, 'function_call');
  expect(told('messages', answer)).toMatchObject({
    content: [{ type: 'tool_use', name: 'f', input: { a: 1 } }],
    stop_reason: 'tool_use',
  });
  expect(told('responses', answer)).toMatchObject({ output: [{ type: 'function_call', name: 'f' }] });
});

describe('the parts of a plain answer', () => {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Let me think.' }] };

  it('that are reasoning are told as reasoning', () => {
    const answer = completion({ content: [thinking, { type: 'text', text: 'Hello' }] });
    expect(told('messages', answer)).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'Let me think.' },
        { type: 'text', text: 'Hello' },
      ],
    });
    expect(told('responses', answer)).toMatchObject({
      output: [
        { type: 'reasoning', summary: [{ text: 'Let me think.' }] },
        { type: 'message', content: [{ text: 'Hello' }] },
      ],
    });
  });

  it.each([
    [
      'messages',
      completion({ content: [{ type: 'reference' }, { type: 'text', text: 'a' }] }),
      'content.reference',
    ],
    [
      'responses',
      completion({ content: [{ type: 'reference' }, { type: 'text', text: 'a' }] }),
      'content.reference',
    ],
    ['messages', completion({ content: 'a', annotations: [{}] }), 'annotations'],
  ] as const)('that are lost are told, for %s', (route, answer, param) => {
    expect(read(route, answer, 'chat_completions')!.losses).toMatchObject([{ param }]);
  });

  it.each(['chat_completions', 'responses'] as const)('tell that citations are lost, for %s', (route) => {
    const cited = message([{ type: 'text', text: 'Yes.', citations: [{ cited_text: 'x' }] }]);
    expect(read(route, cited, 'messages')!.losses).toMatchObject([{ param: 'content.citations' }]);
  });
});

it('a caller whose `function_call` holds one call is told of the others', () => {
  const call = callOf('chat_completions', { functions: [{ name: 'f', parameters: {} }], stream: false });
  const called = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} }));
  const answer = encodeUtf8(JSON.stringify(message(called, 'tool_use')));
  expect(translatePlainAnswer(call, answer, { createdAtSeconds: 1 })!.losses).toMatchObject([
    { param: 'content.tool_use' },
  ]);
});

describe.each(routes)('the usage of a plain answer, for %s', (route) => {
  const usageOf = (report: unknown, more: Json = {}) =>
    read(route, completion({ content: 'Hello' }, 'stop', report, more), 'chat_completions');
  const own = { prompt_tokens: 1000, completion_tokens: 10, cached_tokens: 900 };

  it('is read where a listed provider has it', () => {
    const counted = { inputTokens: 100, cachedInputTokens: 900, outputTokens: 10 };
    expect(usageOf(own)!.usage).toMatchObject(counted);
    expect(usageOf(null, { usage: own })!.usage).toMatchObject(counted);
  });

  it.each([
    ['zeros', { prompt_tokens: 0, completion_tokens: 0 }],
    ['no output', { prompt_tokens: 11, completion_tokens: 0 }],
    ['2 ** 53', { prompt_tokens: 11, completion_tokens: 2 ** 53 }],
    ['nothing', null],
  ])('is none of the answer where it has %s beside text, and the text is counted', (_, report) => {
    expect(usageOf(report)).toMatchObject({ usage: null, outputBytes: 5 });
  });

  it('may have no output where there is no text', () => {
    const empty = completion({ content: '' }, 'stop', { prompt_tokens: 11, completion_tokens: 0 });
    expect(read(route, empty, 'chat_completions')!.usage).toMatchObject({ inputTokens: 11, outputTokens: 0 });
  });
});
