import fc from 'fast-check';
import { parseCall } from '../../call/parse-call';
import { translateCall } from './translate-call';

const target = { upstreamModel: 'm', maxOutputTokens: 1000 };

interface ChatMessage {
  readonly role: string;
  readonly content: string | null | readonly Record<string, unknown>[];
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
}
interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

const bodyOf = (pieces: readonly Uint8Array[]): Record<string, unknown> =>
  JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;

const translated = (operation: 'chat_completions' | 'messages', body: unknown): Record<string, unknown> =>
  bodyOf(translateCall(parseCall(operation, Buffer.from(JSON.stringify(body))), target).body);

/** Not blank, because blank text is left out for Anthropic. */
const someText = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.trim() !== '');
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
const jsonObject = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
const argumentsText = fc.oneof(jsonObject, fc.string({ minLength: 1 }));
const image = fc
  .base64String({ minLength: 4 })
  .map((data) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }));
const textPart = someText.map((text) => ({ type: 'text', text }));

const user = fc.record({
  role: fc.constant('user'),
  content: fc.oneof(someText, fc.array(fc.oneof(textPart, image), { minLength: 1 })),
});
const answer = fc.record({ role: fc.constant('assistant'), content: someText });

/** A turn of tool calls with unique ids, and all of their results. */
const toolExchange = fc
  .array(fc.record({ id: name, name, json: argumentsText, result: someText }), { minLength: 1, maxLength: 4 })
  .chain((calls) => fc.record({ calls: fc.constant(calls), content: fc.option(someText) }))
  .map(({ calls, content }): ChatMessage[] => [
    {
      role: 'assistant',
      content,
      tool_calls: calls.map(({ id, name, json }) => ({
        id,
        type: 'function',
        function: { name, arguments: json },
      })),
    },
    ...calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
  ]);

const conversation = fc
  .record({
    system: fc.option(someText),
    turns: fc.array(
      fc.oneof(
        user.map((message) => [message]),
        answer.map((message) => [message]),
        toolExchange,
      ),
      { minLength: 1, maxLength: 6 },
    ),
    last: user,
  })
  .map(({ system, turns, last }): ChatMessage[] => [
    ...(system === null ? [] : [{ role: 'system', content: system }]),
    ...turns.flat(),
    last,
  ]);

/** The meaning of a conversation: consecutive messages of a role are joined, and arguments are parsed. */
function meaningOf(messages: readonly ChatMessage[]): unknown[] {
  const said: { role: string; parts: unknown[]; calls: unknown[]; result?: unknown }[] = [];
  for (const { role, content, tool_calls: calls = [], tool_call_id: result } of messages) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
    const last = said.at(-1);
    const called = calls.map(({ id, function: { name, arguments: json } }) => [id, name, valueOf(json)]);
    if (last?.role === role && role !== 'tool') {
      last.parts.push(...parts);
      last.calls.push(...called);
    } else said.push({ role, parts: [...parts], calls: called, result });
  }
  return said;
}

function valueOf(json: string): unknown {
  if (json.trim() === '') return {};
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}

describe('a chat call translated to messages and back', () => {
  it('keeps texts, images, the order of roles, tool calls, their arguments and results', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const there = translated('chat_completions', { model: 'a/b', messages });
        const back = translated('messages', { ...there, max_tokens: 1000 });
        expect(meaningOf(back['messages'] as ChatMessage[])).toEqual(meaningOf(messages));
      }),
    );
  });

  it('keeps tools, the choice among them, and sampling', () => {
    const said = {
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'd', parameters: { type: 'object', properties: {} } },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      temperature: 0.3,
      top_p: 0.8,
      stop: ['END'],
      user: 'u-1',
      service_tier: 'default',
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          strict: true,
          schema: { type: 'object', properties: {}, additionalProperties: false },
        },
      },
    };
    const messages = [{ role: 'user', content: 'Hi' }];
    const there = translated('chat_completions', { model: 'a/b', messages, ...said });
    expect(translated('messages', there)).toMatchObject({ messages, ...said });
  });

  it('never has two consecutive turns of one role, nor a tool result after another block', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const there = translated('chat_completions', { model: 'a/b', messages });
        const turns = there['messages'] as { role: string; content: { type: string }[] }[];
        for (const [index, { role, content }] of turns.entries()) {
          expect(role).not.toBe(turns[index + 1]?.role);
          if (turns[index - 1]?.content.some(({ type }) => type === 'tool_use') !== true) continue;
          const firstOther = content.findIndex(({ type }) => type !== 'tool_result');
          const results = content.filter(({ type }) => type === 'tool_result');
          expect(firstOther === -1 ? content.length : firstOther).toBe(results.length);
        }
      }),
    );
  });
});

describe('any body of the right form', () => {
  const anything = fc.jsonValue({ maxDepth: 4 });
  const content = fc.oneof(
    fc.string(),
    fc.array(
      fc.oneof(
        anything,
        fc.record(
          {
            type: fc.constantFrom(
              ...['text', 'refusal', 'image_url', 'file', 'image', 'document', 'thinking', 'tool_use'],
              ...['tool_result', 'search_result', 'redacted_thinking', 'input_audio'],
            ),
            text: anything,
            content: anything,
            source: anything,
            image_url: anything,
            file: anything,
            input: anything,
            thinking: anything,
            signature: anything,
          },
          { requiredKeys: ['type'] },
        ),
      ),
    ),
  );
  const extras = {
    tools: fc.array(anything),
    tool_choice: fc.dictionary(fc.string(), anything),
    metadata: fc.dictionary(fc.string(), anything),
  };

  it('is translated without a crash', () => {
    const chatMessage = fc.record(
      {
        role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool'),
        content,
        tool_calls: anything,
        function_call: anything,
        reasoning_details: anything,
        tool_call_id: anything,
      },
      { requiredKeys: ['role', 'content'] },
    );
    const turn = fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), content });
    fc.assert(
      fc.property(
        fc.record({ messages: fc.array(chatMessage, { minLength: 1 }), ...extras }),
        fc.record({ messages: fc.array(turn, { minLength: 1 }), ...extras }),
        (chat, messages) => {
          expect(translated('chat_completions', { model: 'a/b', ...chat })).toHaveProperty('messages');
          expect(translated('messages', { model: 'a/b', max_tokens: 9, ...messages })).toHaveProperty(
            'messages',
          );
        },
      ),
    );
  });
});
