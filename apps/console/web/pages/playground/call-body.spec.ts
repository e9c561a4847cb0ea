import { callBody } from './call-body';
import { othersOf, parameterOf, parametersOf } from './parameters';

const facts = {
  model: 'acme/small',
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'Hello' }],
  parameters: { temperature: 0.5 },
  isStreamed: true,
  isStrict: true,
} as const;

describe('the body of a call', () => {
  it('has the system text where its route wants it', () => {
    expect(callBody({ ...facts, operation: 'chat_completions' })).toEqual({
      model: 'acme/small',
      temperature: 0.5,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      stream: true,
      compat_mode: 'strict',
    });
    expect(callBody({ ...facts, operation: 'messages' })).toMatchObject({
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('has nothing that was not chosen', () => {
    const plain = { ...facts, system: ' ', parameters: {}, isStreamed: false, isStrict: false };
    expect(callBody({ ...plain, operation: 'messages' })).toEqual({
      model: 'acme/small',
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });
});

describe('typed parameters', () => {
  it.each([
    ['number', '0.70', 0.7],
    ['number', 'hot', null],
    ['whole', '1.5', null],
    ['whole', '-3', -3],
    ['word', ' low ', 'low'],
    ['lines', 'a\n\nb ', ['a', 'b ']],
    ['number', ' ', undefined],
  ] as const)('of the kind %s are read: %j', (kind, typed, value) => {
    expect(parameterOf(kind, typed)).toEqual(value);
  });

  it('as JSON are an object that decides nothing twice', () => {
    expect(othersOf('{"min_p": 0.1}')).toEqual({ min_p: 0.1 });
    for (const wrong of ['{', '[]', 'null', '{"model": "other"}']) expect(othersOf(wrong)).toBeNull();
  });

  it('are those of the route alone, and none while one is wrong', () => {
    const typed = { temperature: '1', top_k: '3' };
    expect(parametersOf('chat_completions', typed, '')).toEqual({ temperature: 1 });
    expect(parametersOf('messages', typed, '{"top_k": 5}')).toEqual({ temperature: 1, top_k: 5 });
    expect(parametersOf('messages', { temperature: 'x' }, '')).toBeNull();
  });
});
