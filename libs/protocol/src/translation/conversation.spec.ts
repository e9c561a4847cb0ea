import { parseCall } from '../call/parse-call';
import { type Operation } from '../call/operation';
import { encodeUtf8 } from '../json/byte-text';
import { type ChatForm } from './chat-form';
import { rewriteCall, translateCall } from './call/translate-call';

type Fields = Readonly<Record<string, unknown>>;

const asGoogle: ChatForm = {
  developerRole: true,
  strictToolNames: true,
  emptyText: false,
  systemAlone: false,
  strictOrder: false,
};
const asMoonshot: ChatForm = { ...asGoogle, systemAlone: true };

const foreignThought = { type: 'thinking', thinking: 'Hm.', signature: 'reasoning_content' };
const storedThought = { type: 'reasoning', id: 'rs_1', summary: [] };
const speech = { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } };

/** Calls of which nothing that a provider would answer is left. */
const calls: Readonly<Record<Exclude<Operation, 'embeddings'>, readonly Fields[]>> = {
  chat_completions: [
    { messages: [{ role: 'system', content: 'Be brief.' }] },
    { messages: [{ role: 'developer', content: 'Be brief.' }] },
    { messages: [{ role: 'user', content: '' }] },
    { messages: [{ role: 'user', content: [] }] },
    { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    {
      messages: [
        { role: 'system', content: '' },
        { role: 'assistant', content: '' },
      ],
    },
    { messages: [{ role: 'assistant' }] },
    { messages: [{ role: 'user', content: [speech] }] },
  ],
  messages: [
    { messages: [{ role: 'assistant', content: '' }] },
    { messages: [{ role: 'assistant', content: [] }], system: 'Be brief.' },
    { messages: [{ role: 'assistant', content: [foreignThought] }] },
    { messages: [{ role: 'user', content: '' }] },
    { messages: [{ role: 'system', content: 'Be brief.' }] },
    { messages: [{ role: 'user', content: [speech] }] },
  ],
  responses: [
    { input: '' },
    { input: '', instructions: 'Be brief.' },
    { input: [storedThought] },
    { input: [{ type: 'web_search_call', id: 'ws_1' }], instructions: 'Be brief.' },
    { input: [{ role: 'user', content: [] }] },
    { input: [{ role: 'user', content: [speech] }] },
  ],
};

const forms: readonly (ChatForm | undefined)[] = [undefined, asGoogle, asMoonshot];
const spoken: readonly Operation[] = ['chat_completions', 'messages', 'responses'];
const speakers: Readonly<Record<string, readonly Operation[]>> = {
  chat_completions: ['chat_completions', 'messages'],
  messages: ['chat_completions', 'messages'],
  responses: spoken,
};

/** The body for each provider, by translation and in place. */
function sentFor(route: Exclude<Operation, 'embeddings'>, fields: Fields, chatForm: ChatForm | undefined) {
  const limit = route === 'messages' ? { max_tokens: 5 } : {};
  const call = parseCall(route, encodeUtf8(JSON.stringify({ model: 'a/b', ...limit, ...fields })));
  const bodyOf = (pieces: readonly Uint8Array[]) => JSON.parse(Buffer.concat(pieces).toString()) as Fields;
  return (speakers[route] ?? []).flatMap((operation) => {
    const target = {
      operation,
      upstreamModel: 'm',
      maxOutputTokens: 5,
      paidPartsOnly: true,
      ...(chatForm && { chatForm }),
    };
    const { body, losses } = translateCall(call, target);
    const told = losses.map(({ param }) => param);
    const sent = { operation, body: bodyOf(body), told };
    if (operation !== route || operation === 'responses') return [sent];
    return [sent, { operation, body: bodyOf(rewriteCall(call, target, [])), told }];
  });
}

const conversationOf = ({ messages, input }: Fields): unknown => messages ?? input;
const isSaid = ({ role, content }: Fields): boolean =>
  role === 'user' && JSON.stringify(content) !== '[]' && !/""/.test(JSON.stringify(content));

describe.each(Object.keys(calls) as (keyof typeof calls)[])('a call of %s that says nothing', (route) => {
  it.each(calls[route])('goes out with a conversation: %j', (fields) => {
    for (const form of forms)
      for (const { body } of sentFor(route, fields, form)) expect(conversationOf(body)).not.toEqual([]);
  });

  it.each(calls[route])('goes to a provider that refuses that with a text of a user: %j', (fields) => {
    for (const { operation, body, told } of sentFor(route, fields, asGoogle)) {
      if (operation !== 'chat_completions') continue;
      expect((conversationOf(body) as Fields[]).some(isSaid)).toBe(true);
      expect(told).not.toEqual([]);
      expect(told.filter((path) => path.startsWith(route === 'responses' ? 'messages' : 'input'))).toEqual(
        [],
      );
    }
  });
});

it('a provider that answers system prompts gets them as they are', () => {
  const messages = [{ role: 'system', content: 'Be brief.' }];
  for (const { operation, body, told } of sentFor('chat_completions', { messages }, asMoonshot)) {
    if (operation !== 'chat_completions') continue;
    expect(body).toMatchObject({ messages });
    expect(told).toEqual([]);
  }
});
