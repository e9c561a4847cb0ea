import fc from 'fast-check';
import { conversationIn } from './conversation';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const parts = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));
const ofChat = (...messages: object[]) => conversationIn('chat_completions', { messages });

describe('the conversation of a body', () => {
  it('is named by prompt_cache_key, else by Claude Code’s session, else by how the prompt begins', () => {
    const messages = [user('Hi')];
    const metadata = { user_id: JSON.stringify({ device_id: 'd', account_uuid: 'a', session_id: 's' }) };
    const all = { prompt_cache_key: 'k', metadata, messages };
    const named = [all, { ...all, prompt_cache_key: '' }, { messages }].map((body) =>
      conversationIn('messages', body),
    );
    expect(named).toEqual(['cache\0k', 'session\0s', 'text\0\0Hi']);
  });

  it('is the session of Claude Code in both forms, and nothing of another user_id', () => {
    const ofUser = (userId: string) =>
      conversationIn('messages', { metadata: { user_id: userId }, messages: [user('Hi')] });
    const json = JSON.stringify({ device_id: 'd', account_uuid: '', session_id: 's1' });
    expect(ofUser(json)).toBe(ofUser('user_d_account__session_s1'));
    expect(ofUser(json)).not.toBe(ofUser('user_d_account__session_s2'));
    expect(ofUser('ana')).toBe('text\0\0Hi');
    expect(ofUser('user_d_account_a_session_')).toBe('text\0\0Hi');
  });

  it('is none for embeddings, and for a prompt without text', () => {
    expect(conversationIn('embeddings', { input: 'Hi', prompt_cache_key: 'k' })).toBeNull();
    expect(ofChat(user([{ type: 'image_url', image_url: { url: 'data:' } }]))).toBeNull();
    expect(conversationIn('responses', { input: [] })).toBeNull();
  });

  it('stays the same while the conversation grows, on each route', () => {
    const later = fc.array(
      fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'system'), content: fc.string() }),
    );
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), later, (system, text, turns) => {
        const openings = [
          ['chat_completions', { messages: [{ role: 'system', content: system }, user(text)] }, 'messages'],
          ['messages', { system: parts(system), messages: [user(parts(text))] }, 'messages'],
          ['responses', { instructions: system, input: [user(text)] }, 'input'],
        ] as const;
        for (const [operation, body, list] of openings) {
          const first = (body as Record<string, unknown>)[list] as object[];
          const grown = { ...body, [list]: [...first, assistant('Yes.'), ...turns] };
          expect(conversationIn(operation, grown)).toBe(conversationIn(operation, body));
          expect(conversationIn(operation, body)).toBe(`text\0${system}\0${text}`);
        }
      }),
    );
  });

  it('differs by the system text and by the first user message', () => {
    const all = ['a', 'b'].flatMap((system) =>
      ['c', 'd'].map((text) => ofChat({ role: 'developer', content: system }, user(text))),
    );
    expect(new Set(all).size).toBe(4);
  });

  it('takes 32 Ki characters of each at most, so that a long system text leaves room for the message', () => {
    const long = 'x'.repeat(100_000);
    const named = ofChat({ role: 'system', content: long }, user(parts(long, long)))!;
    expect(named.length).toBeLessThan(66_000);
    expect(ofChat({ role: 'system', content: long }, user('a'))).not.toBe(
      ofChat({ role: 'system', content: long }, user('b')),
    );
  });
});
