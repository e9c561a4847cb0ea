import { type JsonRecord } from '../../json/byte-text';
import { appendAll } from '../append-all';
import { type Losses } from '../loss';
import { isTaken, type ReasoningFields, reasoningFieldOf } from '../reasoning';
import { argumentsOfInput } from '../tool-arguments';
import { forEachRecord, listIn, textIn } from '../untyped-json';
import { blocksToChatParts, blockToChatParts, chatContent, textParts } from './blocks-to-chat-parts';

/** Translates Anthropic's system prompt and turns to chat messages. */
export function turnsToChatMessages(
  { system, messages: turns }: JsonRecord,
  losses: Losses,
  reasoningFields: ReasoningFields,
): JsonRecord[] {
  const prompt = blocksToChatParts(system, 'system', losses).map((part) => textIn(part['text']));
  const messages: JsonRecord[] =
    prompt.length === 0 ? [] : [{ role: 'system', content: prompt.join('\n\n') }];
  forEachRecord(
    turns,
    'messages',
    (turn, path) => {
      appendAll(messages, messagesOf(turn, path, losses, reasoningFields));
    },
    (path) => {
      losses.omit(path);
    },
  );
  if (messages.at(-1)?.['role'] === 'assistant') {
    losses.change(
      `messages[${String(listIn(turns).length - 1)}]`,
      'The provider answers the conversation anew; it does not continue an answer that it ends with.',
    );
  }
  return messages;
}

function messagesOf(
  turn: JsonRecord,
  path: string,
  losses: Losses,
  reasoningFields: ReasoningFields,
): JsonRecord[] {
  const at = `${path}.content`;
  switch (turn['role']) {
    case 'assistant':
      return assistantMessages(turn['content'], at, losses, reasoningFields);
    case 'system':
      return [{ role: 'system', content: chatContent(blocksToChatParts(turn['content'], at, losses)) }];
    default:
      return userMessages(turn['content'], at, losses);
  }
}

/**
 * Tool results come first, each as a separate message right after the calls. A tool message holds text only, so the
 * images and files of a result go into the next user message.
 */
function userMessages(content: unknown, path: string, losses: Losses): JsonRecord[] {
  if (typeof content === 'string') return [{ role: 'user', content }];
  const results: JsonRecord[] = [];
  const media: JsonRecord[] = [];
  const parts: JsonRecord[] = [];
  forEachRecord(
    content,
    path,
    (block, at) => {
      if (block['type'] !== 'tool_result') {
        appendAll(parts, blockToChatParts(block, at, losses));
        return;
      }
      if (block['is_error'] === true) losses.omit(`${at}.is_error`);
      const resultParts = blocksToChatParts(block['content'], `${at}.content`, losses);
      const text = resultParts.filter(({ type }) => type === 'text');
      appendAll(
        media,
        resultParts.filter(({ type }) => type !== 'text'),
      );
      results.push({ role: 'tool', tool_call_id: block['tool_use_id'], content: chatContent(text) });
    },
    (at) => {
      losses.omit(at);
    },
  );
  const rest = [...media, ...parts];
  return rest.length === 0 && results.length > 0
    ? results
    : [...results, { role: 'user', content: chatContent(rest) }];
}

/** Thinking is sent back only to a provider that takes it in the field that it came from. */
function assistantMessages(
  content: unknown,
  path: string,
  losses: Losses,
  reasoningFields: ReasoningFields,
): JsonRecord[] {
  const parts = typeof content === 'string' ? textParts(content) : [];
  const toolCalls: JsonRecord[] = [];
  const reasoning: Record<string, string> = {};
  forEachRecord(
    content,
    path,
    (block, at) => {
      const field = block['type'] === 'thinking' ? reasoningFieldOf(block) : null;
      if (field !== null && !isTaken(field, reasoningFields)) losses.foreignReasoning(at);
      else if (field !== null) reasoning[field] = (reasoning[field] ?? '') + textIn(block['thinking']);
      else if (block['type'] === 'tool_use') toolCalls.push(toolCallOf(block));
      else appendAll(parts, blockToChatParts(block, at, losses));
    },
    (at) => {
      losses.omit(at);
    },
  );
  if (parts.length === 0 && toolCalls.length === 0 && Object.keys(reasoning).length === 0) return [];
  return [
    {
      role: 'assistant',
      content: parts.length === 0 && toolCalls.length > 0 ? null : chatContent(parts),
      ...reasoning,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    },
  ];
}

/** Translates a `tool_use` block to an entry of `tool_calls`. */
export function toolCallOf({ id, name, input }: JsonRecord): JsonRecord {
  return { id, type: 'function', function: { name, arguments: argumentsOfInput(input) } };
}
