import { promptTokensMax } from './prompt-bound';

const message = (content: unknown) => ({ messages: [{ role: 'user', content }] });

describe('the bound of a prompt’s tokens', () => {
  it('is the number of bytes of the body for text in any form', () => {
    expect(promptTokensMax(message('hello'), 100)).toBe(100);
    expect(promptTokensMax(message([{ type: 'text', text: 'hello' }]), 100)).toBe(100);
    expect(promptTokensMax({ ...message('hi'), system: [{ type: 'text', text: 'be kind' }] }, 100)).toBe(100);
    expect(
      promptTokensMax(message([{ type: 'tool_result', content: [{ type: 'text', text: '4' }] }]), 100),
    ).toBe(100);
  });

  it('leaves room for the tokens that providers add for tools', () => {
    const tools = [{ type: 'function', function: { name: 'add' } }];
    expect(promptTokensMax({ ...message('hi'), tools }, 100)).toBe(1124);
    expect(promptTokensMax({ ...message('hi'), tools: [{ name: 'add', input_schema: {} }] }, 100)).toBe(1124);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an image by URL', message([{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }])],
    ['a document', message([{ type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } }])],
    ['an image in a tool result', message([{ type: 'tool_result', content: [{ type: 'image' }] }])],
    ['an earlier spoken answer', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }],
    ['a tool that the provider runs', { ...message('hi'), tools: [{ type: 'web_search_20250305' }] }],
    ['web search', { ...message('hi'), web_search_options: {} }],
    ['MCP servers', { ...message('hi'), mcp_servers: [{}] }],
  ])('does not exist for %s', (_, body) => {
    expect(promptTokensMax(body, 100)).toBeNull();
  });
});
