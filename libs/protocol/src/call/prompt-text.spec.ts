import { promptText } from './prompt-text';

const user = (content: unknown) => ({ role: 'user', content });

describe('the text of a prompt', () => {
  it('is that of the messages and the system prompt', () => {
    expect(
      promptText('messages', { model: 'a/b', system: 'Be brief', messages: [user('Hi'), user('There')] }),
    ).toEqual({
      texts: ['Be brief', 'Hi', 'There'],
      tokenCount: 0,
      messageCount: 3,
      mediaCount: 0,
    });
  });

  it('is found in parts, in parts of parts, and in thinking, without its signature', () => {
    const messages = [
      user([
        { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
        { type: 'tool_result', content: [{ type: 'text', text: 'b' }] },
      ]),
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'c', signature: 'x'.repeat(500) }] },
      { role: 'assistant', content: null, refusal: 'd' },
    ];
    expect(promptText('messages', { system: [{ type: 'text', text: 's' }], messages }).texts).toEqual([
      's',
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  it('is JSON where it is not prose: tool calls, tools, schemas', () => {
    const messages = [
      { role: 'assistant', content: null, tool_calls: [{ id: '1' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: '2', name: 'add', input: { a: 1 } }] },
    ];
    const body = {
      messages,
      tools: [{ name: 'add' }],
      response_format: { type: 'json_object' },
      tool_choice: null,
    };
    expect(promptText('messages', body).texts).toEqual([
      '{"tool_calls":[{"id":"1"}]}',
      '{"id":"2","name":"add","input":{"a":1}}',
      '[{"name":"add"}]',
      '{"type":"json_object"}',
    ]);
  });

  it('excludes metadata, the user and the limits of the call', () => {
    const about = {
      metadata: { a: 'b' },
      user: 'u',
      stop: ['x'],
      temperature: 1,
      max_tokens: 5,
      stream: true,
    };
    expect(promptText('messages', { model: 'a/b', messages: [user('Hi')], ...about }).texts).toEqual(['Hi']);
  });

  it('counts media without reading them, except a document that is text', () => {
    const messages = [
      user([
        { type: 'image', source: { type: 'base64', data: 'AAAA' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'read me' } },
        { type: 'document', source: { type: 'base64', data: 'AAAA' } },
        {
          type: 'tool_result',
          content: [{ type: 'image', source: { type: 'url', url: 'https://a.example' } }],
        },
      ]),
    ];
    expect(promptText('messages', { messages })).toEqual({
      texts: ['read me'],
      tokenCount: 0,
      messageCount: 1,
      mediaCount: 4,
    });
  });
});
