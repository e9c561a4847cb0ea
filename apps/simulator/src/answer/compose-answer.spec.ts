import fc from 'fast-check';
import { type Prompt } from '../prompt/prompt';
import { composeAnswer } from './compose-answer';

const prompt: Prompt = {
  model: 'sim-small',
  stream: false,
  usageInStream: false,
  inputTokenCount: 10,
  userText: 'hello',
  toolResults: [],
  continuesFromTools: false,
  tools: [],
  toolChoice: { kind: 'auto' },
  stopSequences: [],
  outputTokenLimit: Infinity,
  choiceCount: 1,
  answerSchema: undefined,
  thinks: false,
};
const tools = [
  { name: 'get', schema: {} },
  { name: 'get_weather', schema: { type: 'object', properties: { city: { type: 'string' } } } },
];
const answerTo = (asked: Partial<Prompt>, directive: Parameters<typeof composeAnswer>[1] = {}) =>
  composeAnswer({ ...prompt, ...asked }, directive, 'id', 1_700_000_000_999);

describe('composeAnswer', () => {
  it('says that it is a simulator and quotes the end of what the user wrote', () => {
    expect(answerTo({}).text).toBe('This is the Svc simulator, not a language model. You wrote: hello');
    expect(answerTo({ userText: '' }).text).toBe(
      'This is the Svc simulator, not a language model. You wrote nothing.',
    );
    const { text } = answerTo({ userText: `secret beginning ${'😀'.repeat(500)}` });
    expect(text.endsWith(`You wrote: …${'😀'.repeat(200)}`)).toBe(true);
    expect(answerTo({}).createdAtSeconds).toBe(1_700_000_000);
  });

  it('counts a token for each started four bytes of output', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 3 }), (reply, choiceCount) => {
        const expected = Math.ceil(Buffer.byteLength(reply) / 4) * choiceCount;
        expect(answerTo({ choiceCount }, { reply }).usage?.outputTokenCount).toBe(expected);
      }),
    );
  });

  it('never exceeds the limit, and uses all of it when it is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (reply, limit) => {
          const { text, ending, usage } = answerTo({ outputTokenLimit: limit }, { reply });
          const wholeCount = Math.ceil(Buffer.byteLength(reply) / 4);
          expect(reply.startsWith(text)).toBe(true);
          expect(usage?.outputTokenCount).toBe(Math.min(wholeCount, limit));
          expect(ending.kind).toBe(wholeCount > limit ? 'token_limit' : 'complete');
        },
      ),
    );
  });

  it('shares the limit between thinking, text and tool arguments in that order', () => {
    const cut = answerTo(
      { thinks: true, outputTokenLimit: 30 },
      { reply: 'four', tool_calls: [{ name: 'get', arguments: 'x'.repeat(1000) }, { name: 'get' }] },
    );
    expect(cut.thinking.length).toBeGreaterThan(50);
    expect(cut.text).toBe('four');
    expect(cut.toolCalls).toHaveLength(1);
    expect(cut.ending).toEqual({ kind: 'token_limit' });
    expect(cut.usage?.outputTokenCount).toBe(30);
  });

  it.each([[['three', 'two']], [['two', 'three']]])(
    'stops before the first stop sequence of its text, and calls no tool after it: %j',
    (stopSequences) => {
      const told = { reply: 'one two three', tool_calls: [{ name: 'get' }] };
      expect(answerTo({ stopSequences }, told)).toMatchObject({
        text: 'one ',
        toolCalls: [],
        ending: { kind: 'stop_sequence', sequence: 'two' },
        usage: { outputTokenCount: 1 },
      });
    },
  );

  it('calls the tool that the user mentions by its whole name', () => {
    const call = { id: 'id_0', name: 'get_weather', argumentsJson: '{"city":"sample"}' };
    expect(answerTo({ tools, userText: 'together, get_weather!' })).toMatchObject({
      text: '',
      toolCalls: [call],
      ending: { kind: 'tool_calls' },
    });
    expect(answerTo({ tools, userText: 'together' }).toolCalls).toEqual([]);
    expect(answerTo({ tools, userText: 'get_weather', toolChoice: { kind: 'none' } }).toolCalls).toEqual([]);
    expect(answerTo({ tools, toolChoice: { kind: 'forced', toolName: 'get_weather' } }).toolCalls).toEqual([
      call,
    ]);
  });

  it('calls the tools of the directive, several and with the given arguments, beside a reply', () => {
    const answer = answerTo(
      { tools },
      {
        reply: 'Wait.',
        tool_calls: [{ name: 'get', arguments: { a: 1 } }, { name: 'get_weather' }, { name: 'x' }],
      },
    );
    expect(answer.text).toBe('Wait.');
    expect(answer.toolCalls.map(({ argumentsJson }) => argumentsJson)).toEqual([
      '{"a":1}',
      '{"city":"sample"}',
      '{}',
    ]);
    expect(new Set(answer.toolCalls.map(({ id }) => id)).size).toBe(3);
  });

  it('answers tool results with a quotation and never with another call', () => {
    const { text, toolCalls } = answerTo({
      tools,
      userText: 'get_weather',
      toolResults: ['21 degrees', 'sunny'],
      continuesFromTools: true,
      toolChoice: { kind: 'forced', toolName: 'get_weather' },
    });
    expect(text).toBe(
      'This is the Svc simulator, not a language model. The tool answered: 21 degrees | sunny',
    );
    expect(toolCalls).toEqual([]);
  });

  it('answers JSON that matches a requested schema', () => {
    const answerSchema = { type: 'object', properties: { ok: { type: 'boolean' } } };
    expect(answerTo({ answerSchema }).text).toBe('{"ok":true}');
  });

  it('overrides usage as directed, and counts cached tokens within the prompt', () => {
    expect(answerTo({}, { cached_tokens: 4, cache_write_tokens: 3 }).usage).toMatchObject({
      inputTokenCount: 10,
      cachedTokenCount: 4,
      cacheWriteTokenCount: 3,
    });
    expect(answerTo({}, { cached_tokens: 100 }).usage?.inputTokenCount).toBe(100);
    expect(answerTo({}, { usage: { input_tokens: 7, output_tokens: 9 } }).usage).toMatchObject({
      inputTokenCount: 7,
      outputTokenCount: 9,
    });
    expect(answerTo({}, { no_usage: true }).usage).toBeUndefined();
  });

  it('replies with the directed number of words', () => {
    expect(answerTo({}, { reply_words: 9 }).text.split(' ')).toHaveLength(9);
    expect(answerTo({}, { reply_words: 0 }).text).toBe('');
  });
});
