import fc from 'fast-check';
import { hasLongName, longToolNames, shortToolNames, withShortNames } from './tool-names';

const long = (end: string) => `mcp__a_server_with_a_long_name__${'x'.repeat(60)}${end}`;

describe('short names of tools', () => {
  it('differ from each other and from every other name, and fit', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '_'), minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 20 }), fc.constantFrom(64, 24), (names, max) => {
        const short = shortToolNames(names, max);
        const sent = names.map((one) => short.get(one) ?? one);
        expect(new Set(sent).size).toBe(names.length);
        expect(sent.every(({ length }) => length <= max)).toBe(true);
        expect(names.filter((one) => one.length <= max).some((one) => short.has(one))).toBe(false);
      }),
    );
  });

  it('avoid a tool that has the very name', () => {
    const taken = shortToolNames([long('1')], 64).get(long('1'))!;
    const short = shortToolNames([long('1'), taken], 64).get(long('1'));
    expect(short).not.toBe(taken);
    expect(short).toHaveLength(64);
  });

  it('are none where every name fits', () => {
    expect(longToolNames({ tools: [{ name: 'a'.repeat(64) }] })).toEqual([]);
    expect(shortToolNames(['a'.repeat(100)], 128).size).toBe(0);
  });
});

describe('a body with short names', () => {
  const [one, two] = [long('1'), long('2')];
  const names = [one, two];
  const [first, second] = [...shortToolNames(names, 64).values()];
  const call = (name: string) => ({ type: 'function', id: 'c', function: { name, arguments: '{}' } });

  it('has them in tools, choices and history of a chat call', () => {
    const chat = (a: string, b: string) => ({
      tools: [call(a), { type: 'custom', custom: { name: b } }],
      functions: [{ name: a }],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [call(a)] } },
      function_call: { name: b },
      messages: [
        { role: 'user', name: 'Anna', content: one },
        { role: 'assistant', tool_calls: [call(a)], function_call: { name: b } },
        { role: 'function', name: b, content: 'x' },
      ],
    });
    expect(withShortNames('chat_completions', chat(one, two), names)).toEqual(chat(first!, second!));
    expect(withShortNames('chat_completions', chat('a', 'b'), [])).toEqual({});
  });
});

describe('the names of a call of responses', () => {
  it('are found in items and choices', () => {
    const body = (name: string) => ({
      tool_choice: { type: 'function', name },
      input: [
        { type: 'function_call', name },
        { type: 'message', name: 'n', content: [] },
      ],
    });
    expect(hasLongName('responses', body(long('1')))).toBe(true);
    expect(hasLongName('responses', body('f'))).toBe(false);
    expect(
      hasLongName('messages', { messages: [{ content: [{ type: 'tool_use', name: 'a'.repeat(129) }] }] }),
    ).toBe(true);
    expect(
      hasLongName('messages', { messages: [{ content: [{ type: 'text', name: 'a'.repeat(129) }] }] }),
    ).toBe(false);
  });
});
