import { Conversation, type Speaker } from './conversation';

function after(...heard: readonly (readonly [Speaker, string])[]) {
  const conversation = new Conversation();
  for (const [speaker, text] of heard) conversation.add(speaker, text);
  return conversation.summary();
}

describe('Conversation', () => {
  it('continues from tools only while the user says nothing more', () => {
    const call = [
      ['user', 'ask'],
      ['assistant', ''],
      ['tool', 'a'],
      ['tool', 'b'],
    ] as const;
    expect(after(...call)).toMatchObject({
      userText: 'ask',
      toolResults: ['a', 'b'],
      continuesFromTools: true,
    });
    expect(after(...call, ['user', 'more'])).toMatchObject({
      userText: 'more',
      toolResults: ['a', 'b'],
      continuesFromTools: false,
    });
  });

  it('drops tool results that the model has answered', () => {
    expect(after(['tool', 'a'], ['assistant', 'done'], ['user', 'next'])).toMatchObject({ toolResults: [] });
  });

  it('counts the text of all speakers as one run of bytes, up to the context window', () => {
    expect(after(['system', 'é'], ['user', 'abc'], ['assistant', 'd'], ['tool', 'ef'])).toMatchObject({
      inputTokenCount: 2,
    });
    expect(after(['user', 'x'.repeat(800_001)])).toMatchObject({ inputTokenCount: 200_000 });
    expect(after()).toMatchObject({ inputTokenCount: 0 });
  });
});
