import fc from 'fast-check';
import { type JsonRecord } from '../json/byte-text';
import { type ChatForm, exceedsChatForm, inChatForm } from './chat-form';
import { Losses } from './loss';

const asOpenAi: ChatForm = {
  developerRole: true,
  strictToolNames: false,
  emptyText: true,
  systemAlone: true,
  strictOrder: false,
};

function formed(form: Partial<ChatForm>, ...messages: readonly JsonRecord[]) {
  const losses = new Losses();
  const changed = inChatForm({ messages }, { chatForm: { ...asOpenAi, ...form } }, losses);
  return { messages: changed['messages'], told: losses.all.map(({ param }) => param) };
}

const user = { role: 'user', content: 'Hi' };
const callOf = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });

describe('the messages of a chat call', () => {
  it('stay for a provider that takes what OpenAI takes', () => {
    expect(formed({}, { role: 'developer', content: '', name: 'Ann' })).toEqual({ told: [] });
    expect(inChatForm({ messages: [user] }, {}, new Losses())).toEqual({});
  });

  it('have no role `developer` where only `system` is known', () => {
    const told = formed({ developerRole: false }, { role: 'developer', content: 'Be brief.' }, user);
    expect(told).toEqual({ messages: [{ role: 'system', content: 'Be brief.' }, user], told: [] });
  });

  it('have known members only, and each that says something is told', () => {
    const answer = { role: 'assistant', content: 'Hi', annotations: [], audio: null, refusal: null };
    const form = { members: ['content', 'tool_calls'] };
    expect(formed(form, { ...user, name: 'Ann' }, { ...answer, reasoning: 'Hm.' })).toEqual({
      messages: [user, { role: 'assistant', content: 'Hi', reasoning: 'Hm.' }],
      told: ['messages[0].name'],
    });
  });

  it('have a refusal as their text where it is not known', () => {
    const refusal = { role: 'assistant', content: null, refusal: 'No.' };
    expect(formed({ members: ['content'] }, refusal)).toEqual({
      messages: [{ role: 'assistant', content: 'No.' }],
      told: [],
    });
  });

  it('have ids of calls of the length that the provider wants, the same in calls and results', () => {
    const [one, other] = ['call_0123456789', 'call-other'];
    const called = {
      role: 'assistant',
      content: null,
      tool_calls: [callOf(one), callOf(other), callOf('abcdEF123')],
    };
    const results = [one, other, 'abcdEF123'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' }));
    const { messages, told } = formed({ callIdLength: 9 }, called, ...results);
    const [sent, ...answers] = messages as [{ tool_calls: { id: string }[] }, ...{ tool_call_id: string }[]];
    const ids = sent.tool_calls.map(({ id }) => id);
    expect(ids).toEqual([
      expect.stringMatching(/^[A-Za-z0-9]{9}$/),
      expect.stringMatching(/^[A-Za-z0-9]{9}$/),
      'abcdEF123',
    ]);
    expect(new Set(ids).size).toBe(3);
    expect(answers.map(({ tool_call_id: id }) => id)).toEqual(ids);
    expect(told).toEqual([]);
  });

  it('have reasoning beside each call where the provider requires it', () => {
    const [kept, filled] = [{ reasoning_content: 'Hm.' }, { reasoning_content: ' ' }];
    const called = { role: 'assistant', content: '', tool_calls: [callOf('1')] };
    const form = { reasoningOfCalls: 'reasoning_content' };
    expect(formed(form, { ...called, ...kept }).messages).toBeUndefined();
    expect(formed(form, called, { role: 'assistant', content: 'Hi' }).messages).toEqual([
      { ...called, ...filled },
      { role: 'assistant', content: 'Hi' },
    ]);
  });

  it('have no empty text where it is refused, and a tool’s result stays', () => {
    const called = { role: 'assistant', content: '', tool_calls: [callOf('1')] };
    const result = { role: 'tool', tool_call_id: '1', content: '' };
    const empty = { role: 'assistant', content: '' };
    expect(formed({ emptyText: false }, user, empty, called, result).messages).toEqual([
      user,
      { role: 'assistant', tool_calls: called.tool_calls },
      result,
    ]);
  });

  it.each<[string, JsonRecord]>([
    ['a refusal', { role: 'assistant', content: null, refusal: 'No.' }],
    [
      'a deprecated call',
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    ],
  ])('keep %s where an empty text is refused', (_, message) => {
    const { messages, told } = formed({ emptyText: false }, user, message);
    expect(JSON.stringify(messages ?? [user, message])).toContain('refusal' in message ? '"No."' : '"f"');
    expect(told).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['no parts', []],
    ['an empty part', [{ type: 'text', text: '' }]],
  ])('that have %s as a text are left out where it is refused', (_, content) => {
    const blank = { role: 'user', content };
    expect(formed({ emptyText: false }, blank).messages).toEqual([]);
    expect(formed({ emptyText: false }, user, { role: 'developer', content }).messages).toEqual([user]);
  });

  it('have no system message after an answer, and name an answer at the end a prefix, where the order is strict', () => {
    const [answer, late] = [
      { role: 'assistant', content: 'Hello' },
      { role: 'system', content: 'Be brief.' },
    ];
    const asUser = { ...late, role: 'user' };
    const form = { strictOrder: true };
    expect(formed(form, late, user, late, answer, late, late)).toEqual({
      messages: [late, user, late, answer, asUser, late],
      told: ['messages'],
    });
    expect(formed(form, user, answer)).toEqual({
      messages: [user, { ...answer, prefix: true }],
      told: ['messages'],
    });
    expect(formed(form, late, user, answer, user).messages).toBeUndefined();
    expect(formed({}, user, answer, late).messages).toBeUndefined();
  });

  it('of the system alone end in one of a user where the provider answers no system prompt', () => {
    const [first, last] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Hi' },
    ];
    expect(formed({ systemAlone: false }, first, last)).toEqual({
      messages: [first, { ...last, role: 'user' }],
      told: ['messages'],
    });
    expect(formed({ systemAlone: false }, first, user).messages).toBeUndefined();
    expect(formed({}, first).messages).toBeUndefined();
  });
});

const message = fc.record(
  {
    role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool'),
    content: fc.constantFrom('', 'Hi', null, [], [{ type: 'text', text: 'Hi' }]),
    name: fc.constantFrom('Ann', null),
    refusal: fc.constantFrom('No.', null),
    tool_call_id: fc.constantFrom('call_1', 'abcdEF123'),
    tool_calls: fc.constantFrom([callOf('call_1')], [callOf('abcdEF123')]),
  },
  { requiredKeys: ['role'] },
);
const form = fc.record({
  members: fc.constantFrom(['content', 'tool_calls', 'tool_call_id'], ['content']),
  developerRole: fc.boolean(),
  callIdLength: fc.constant(9),
  reasoningOfCalls: fc.constant('reasoning_content'),
  strictToolNames: fc.boolean(),
  emptyText: fc.boolean(),
  systemAlone: fc.boolean(),
  strictOrder: fc.boolean(),
});

it('messages that exceed no form are in every form, and formed ones stay as they are', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 4 }), form, (messages, chatForm) => {
      const losses = new Losses();
      const changed = inChatForm({ messages }, { chatForm }, losses);
      if (!exceedsChatForm({ messages })) expect(changed).toEqual({});
      const again = inChatForm({ messages, ...changed }, { chatForm }, new Losses());
      expect(again).toEqual({});
    }),
    { numRuns: 2_000 },
  );
});
