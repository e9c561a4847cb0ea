import { isRecord, type JsonRecord } from '../../json/byte-text';
import { appendAll } from '../append-all';
import { CONTINUED_ANSWER } from '../conversation';
import { type Losses } from '../loss';
import { REASONING_FIELDS, thinkingBlockOf } from '../reasoning';
import { inputOfArguments, toolUseId } from '../tool-arguments';
import { forEachRecord, listIn, recordIn, textIn } from '../untyped-json';
import { chatPartsToBlocks, textBlocks } from './chat-parts-to-blocks';

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: JsonRecord[];
}

export interface Conversation {
  readonly system: readonly JsonRecord[];
  /** Roles alternate. Anthropic requires the results of parallel tool calls in one turn. */
  readonly turns: readonly Turn[];
}

/** Translates chat messages to Anthropic's system prompt and turns. */
export function chatMessagesToTurns(messages: unknown, losses: Losses): Conversation {
  const reader = new ConversationReader(losses);
  forEachRecord(
    messages,
    'messages',
    (message, path) => {
      reader.take(message, path);
    },
    (path) => {
      losses.omit(path);
    },
  );
  if (reader.turns.at(-1)?.role === 'assistant') {
    losses.change(`messages[${String(listIn(messages).length - 1)}]`, CONTINUED_ANSWER);
  }
  return { system: reader.system, turns: withoutTrailingSpace(reader.turns) };
}

class ConversationReader {
  readonly system: JsonRecord[] = [];
  readonly turns: Turn[] = [];
  readonly #losses: Losses;
  /** Number of deprecated function calls so far. They have no ids: their results follow in order. */
  #functionCalls = 0;

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  take(message: JsonRecord, path: string): void {
    const { role, name } = message;
    if (role !== 'function' && typeof name === 'string') this.#losses.omit(`${path}.name`);
    switch (role) {
      case 'system':
      case 'developer':
        this.#takeSystem(message, path);
        break;
      case 'user':
        this.#append('user', this.#blocks(message, path));
        break;
      case 'assistant':
        this.#append('assistant', this.#assistantBlocks(message, path));
        break;
      case 'tool':
        this.#append('user', [this.#toolResult(message, path, toolUseId(message['tool_call_id']))]);
        break;
      case 'function':
        this.#append('user', [this.#toolResult(message, path, functionCallId(this.#functionCalls))]);
        break;
      default:
        this.#losses.omit(path);
    }
  }

  #append(role: Turn['role'], blocks: readonly JsonRecord[]): void {
    const last = this.turns.at(-1);
    if (last?.role === role) appendAll(last.content, blocks);
    else if (blocks.length > 0) this.turns.push({ role, content: [...blocks] });
  }

  #takeSystem(message: JsonRecord, path: string): void {
    const blocks = this.#blocks(message, path);
    if (this.turns.length > 0 && blocks.length > 0) {
      this.#losses.change(
        path,
        'The provider takes system prompts at the start only; this one was moved there.',
      );
    }
    appendAll(this.system, blocks);
  }

  #blocks(message: JsonRecord, path: string): JsonRecord[] {
    return chatPartsToBlocks(message['content'], `${path}.content`, this.#losses);
  }

  #assistantBlocks(message: JsonRecord, path: string): JsonRecord[] {
    if ((message['audio'] ?? null) !== null) this.#losses.omit(`${path}.audio`);
    const blocks = [...this.#blocks(message, path), ...textBlocks(textIn(message['refusal']))];
    forEachRecord(
      message['tool_calls'],
      `${path}.tool_calls`,
      (call, at) => {
        if (isRecord(call['function'])) blocks.push(toolUse(toolUseId(call['id']), call['function']));
        else this.#losses.omit(at);
      },
      (at) => {
        this.#losses.omit(at);
      },
    );
    if (isRecord(message['function_call'])) {
      this.#functionCalls++;
      blocks.push(toolUse(functionCallId(this.#functionCalls), message['function_call']));
    }
    return this.#withThinking(blocks, message, path);
  }

  /** Inserts thinking blocks at their original positions among the answer's blocks. */
  #withThinking(blocks: JsonRecord[], message: JsonRecord, path: string): JsonRecord[] {
    let thoughts = 0;
    for (const [position, detail] of listIn(message['reasoning_details']).entries()) {
      const block = thinkingBlockOf(detail);
      if (block === null) {
        this.#losses.omit(`${path}.reasoning_details[${String(position)}]`);
        continue;
      }
      const index = recordIn(detail)['index'];
      blocks.splice(Number.isSafeInteger(index) ? Math.max(0, index as number) : thoughts, 0, block);
      thoughts++;
    }
    const lost = thoughts === 0 ? REASONING_FIELDS.filter((field) => textIn(message[field]) !== '') : [];
    for (const field of lost) this.#losses.omit(`${path}.${field}`);
    return blocks;
  }

  #toolResult(message: JsonRecord, path: string, id: string): JsonRecord {
    const blocks = this.#blocks(message, path);
    const isPlain = typeof message['content'] === 'string';
    return {
      type: 'tool_result',
      tool_use_id: id,
      ...(blocks.length > 0 && { content: isPlain ? message['content'] : blocks }),
    };
  }
}

const functionCallId = (ordinal: number): string => `function_call_${String(ordinal)}`;

function toolUse(id: string, { name, arguments: json }: JsonRecord): JsonRecord {
  return { type: 'tool_use', id, name, input: inputOfArguments(textIn(json)) };
}

/** Anthropic continues an answer at the end of the conversation, and refuses one that ends in white space. */
function withoutTrailingSpace(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.['type'] !== 'text') return turns;
  const text = textIn(block['text']).trimEnd();
  return [...turns.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), { ...block, text }] }];
}
