import fc from 'fast-check';
import { withLongTexts } from './long-texts';
import { translateCall } from './translate-call';
import { type Operation } from '../../call/operation';

const LONG = 12;
const TARGETS: readonly [Operation, object][] = [
  ['chat_completions', { upstreamModel: 'claude-next', maxOutputTokens: 9 }],
  ['messages', { upstreamModel: 'small-1', maxOutputTokens: 9 }],
  ['responses', { upstreamModel: 'small-1', maxOutputTokens: 9, operation: 'chat_completions' }],
  ['responses', { upstreamModel: 'claude-next', maxOutputTokens: 9, operation: 'messages' }],
];

const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 0, maxLength: 40 }),
  fc.constantFrom(' '.repeat(40), '\n\t'.repeat(20), '"\\'.repeat(20), '\\', 'é\u{1F600}'.repeat(9)),
);
const json = text.map((said) => JSON.stringify({ said, [said]: [said] }));
const part = (type: string) => fc.record({ type: fc.constant(type), text });
const dataUrl = text.map((said) => `data:text/plain;base64,${Buffer.from(said).toString('base64')}`);
const chat = fc.record({
  model: fc.constant('acme/small'),
  messages: fc.array(
    fc.oneof(
      fc.record({
        role: fc.constantFrom('system', 'user', 'assistant'),
        content: fc.oneof(text, fc.array(part('text'))),
      }),
      fc.record({
        role: fc.constant('assistant'),
        content: text,
        tool_calls: fc.array(
          fc.record({
            id: text,
            type: fc.constant('function'),
            function: fc.record({ name: text, arguments: fc.oneof(text, json) }),
          }),
        ),
      }),
      fc.record({ role: fc.constant('tool'), tool_call_id: text, content: text }),
      fc.record({
        role: fc.constant('user'),
        content: fc.array(
          fc.record({ type: fc.constant('file'), file: fc.record({ filename: text, file_data: dataUrl }) }),
        ),
      }),
    ),
  ),
});
const block = fc.oneof(
  part('text'),
  fc.record({
    type: fc.constant('tool_use'),
    id: text,
    name: text,
    input: fc.record({ content: text, text, deep: fc.array(text) }),
  }),
  fc.record({
    type: fc.constant('tool_result'),
    tool_use_id: text,
    content: fc.oneof(text, fc.array(part('text'))),
  }),
  fc.record({
    type: fc.constant('document'),
    source: fc.record({ type: fc.constant('text'), media_type: fc.constant('text/plain'), data: text }),
  }),
);
const messages = fc.record({
  model: fc.constant('acme/small'),
  system: fc.oneof(text, fc.array(part('text'))),
  messages: fc.array(
    fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.oneof(text, fc.array(block)) }),
  ),
});
const item = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    role: fc.constantFrom('user', 'system'),
    content: fc.oneof(text, fc.array(part('input_text'))),
  }),
  fc.record({
    type: fc.constant('function_call'),
    call_id: text,
    name: text,
    arguments: fc.oneof(text, json),
  }),
  fc.record({ type: fc.constant('custom_tool_call'), call_id: text, name: text, input: text }),
  fc.record({ type: fc.constant('function_call_output'), call_id: text, output: text }),
);
const responses = fc.record({
  model: fc.constant('acme/small'),
  instructions: text,
  input: fc.oneof(text, fc.array(item)),
});
const bodies: Readonly<Record<string, fc.Arbitrary<object>>> = {
  chat_completions: chat,
  messages,
  responses,
};

const joined = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString();

describe('a body with long texts', () => {
  it.each(TARGETS)('of %s is translated as one without, to %j', (operation, target) => {
    const write = (body: object) => translateCall({ operation, body: body as never }, target as never).body;
    fc.assert(
      fc.property(bodies[operation]!, (body) => {
        const bytes = Buffer.from(JSON.stringify(body));
        const parsed = JSON.parse(bytes.toString()) as object;
        const whole: unknown = JSON.parse(joined(write(parsed)));
        expect(JSON.parse(joined(withLongTexts(bytes, write, { longBytes: LONG })))).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it('copies none of them', () => {
    const content = 'x'.repeat(100_000);
    const bytes = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] }));
    const pieces = withLongTexts(bytes, (body) => [Buffer.from(JSON.stringify({ sent: body }))]);
    expect(JSON.parse(joined(pieces))).toEqual({ sent: { messages: [{ role: 'user', content }] } });
    expect(pieces.find(({ byteLength }) => byteLength === content.length)?.buffer).toBe(bytes.buffer);
  });

  it('is refused before strings that take part in the translation take too much memory', () => {
    const write = (body: object) => [Buffer.from(JSON.stringify({ text: JSON.stringify(body) }))];
    const refusalOf = (body: object, bytesMax: number): unknown => {
      let taken = 0;
      const take = (byteCount: number) => {
        if ((taken += byteCount) > bytesMax) throw new Error('too much');
      };
      return withLongTexts(Buffer.from(JSON.stringify(body)), write, { take });
    };
    const long = 'x'.repeat(100_000);
    expect(() => refusalOf({ content: long }, 100_000)).toThrow('too much');
    expect(() => refusalOf({ data: long, file: [long] }, 199_999)).toThrow('too much');
    expect(() => refusalOf({ data: long, file: [long] }, 200_000)).not.toThrow();
  });

  it('is written whole where one would stand inside of JSON within a text', () => {
    const content = '"\\\n'.repeat(10_000);
    const bytes = Buffer.from(JSON.stringify({ content }));
    const pieces = withLongTexts(bytes, (body) => [
      Buffer.from(JSON.stringify({ text: JSON.stringify(body) })),
    ]);
    const { text: inner } = JSON.parse(joined(pieces)) as { text: string };
    expect(JSON.parse(inner)).toEqual({ content });
  });
});
