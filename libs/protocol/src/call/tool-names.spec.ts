import fc from 'fast-check';
import { hasLongName, shortToolNames, toolNameForm, unusualToolNames, withShortNames } from './tool-names';

const asChat = toolNameForm('chat_completions');
const strict = toolNameForm('chat_completions', {
  developerRole: true,
  strictToolNames: true,
  emptyText: true,
  systemAlone: true,
  strictOrder: false,
});
const long = (end: string) => `mcp__a_server_with_a_long_name__${'x'.repeat(60)}${end}`;

describe('short names of tools', () => {
  it('differ from each other and from every other name, and fit', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', '1'), minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 20 }),
        fc.constantFrom(64, 24),
        fc.boolean(),
        (names, max, isStrict) => {
          const short = shortToolNames(names, { lengthMax: max, isStrict });
          const sent = names.map((one) => short.get(one) ?? one);
          expect(new Set(sent).size).toBe(names.length);
          expect(sent.every(({ length }) => length <= max)).toBe(true);
          if (isStrict) expect(sent.every((one) => /^[A-Za-z_].{2}/.test(one))).toBe(true);
          expect(
            names
              .filter((one) => one.length <= max && (!isStrict || /^[A-Za-z_].{2}/.test(one)))
              .some((one) => short.has(one)),
          ).toBe(false);
        },
      ),
    );
  });

  it('begin with a letter where the provider wants it, and are no shorter than it wants', () => {
    const names = ['ls', '3d_view', 'get_weather'];
    expect([...shortToolNames(names, strict)]).toEqual([
      ['ls', expect.stringMatching(/^ls_[0-9a-f]{16}$/)],
      ['3d_view', expect.stringMatching(/^_3d_view_[0-9a-f]{16}$/)],
    ]);
    expect(shortToolNames(names, asChat).size).toBe(0);
    expect(unusualToolNames({ tools: [{ name: 'ls' }, { name: 'get_weather' }] })).toEqual([
      'ls',
      'get_weather',
    ]);
  });

  it('avoid a tool that has the very name', () => {
    const taken = shortToolNames([long('1')], asChat).get(long('1'))!;
    const short = shortToolNames([long('1'), taken], asChat).get(long('1'));
    expect(short).not.toBe(taken);
    expect(short).toHaveLength(64);
  });

  it('are none where every name fits', () => {
    expect(unusualToolNames({ tools: [{ name: 'a'.repeat(64) }] })).toEqual([]);
    expect(shortToolNames(['a'.repeat(100)], toolNameForm('messages')).size).toBe(0);
  });
});

describe('a body with short names', () => {
  const [one, two] = [long('1'), long('2')];
  const names = [one, two];
  const [first, second] = [...shortToolNames(names, asChat).values()];
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
    expect(withShortNames(asChat, chat(one, two), names)).toEqual(chat(first!, second!));
    expect(withShortNames(asChat, chat('a', 'b'), [])).toEqual({});
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
