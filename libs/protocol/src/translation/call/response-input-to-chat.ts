import { type JsonRecord } from '../../json/byte-text';
import { appendAll } from '../append-all';
import { type Losses } from '../loss';
import { isTaken, type ReasoningFields } from '../reasoning';
import { originalReasoning } from '../reasoning-item';
import { forEachRecord, textIn } from '../untyped-json';
import { chatContent, textParts } from './blocks-to-chat-parts';
import { type MessageOrigin } from './response-paths';
import { type ChatParts, responsePartsToChat } from './response-parts-to-chat';

interface ChatConversation {
  readonly messages: readonly JsonRecord[];
  readonly origins: readonly MessageOrigin[];
}

/** The options of the translation of a conversation. */
interface ChatForm {
  /** True where a tool message may hold images and files. Chat allows only text; Anthropic's tool results hold both. */
  readonly mediaInResults: boolean;
  /** True where Anthropic's signed thinking is wanted, as `reasoning_details`. */
  readonly signedReasoning: boolean;
  readonly reasoningFields: ReasoningFields;
}

/** Translates `instructions` and the items of `input` to chat messages. */
export function responseInputToChat(
  { instructions, input }: JsonRecord,
  form: ChatForm,
  losses: Losses,
): ChatConversation {
  const reader = new ItemReader(form, losses);
  const prompt = textIn(instructions);
  if (prompt !== '') reader.takeText('system', prompt, 'instructions');
  if (typeof input === 'string') reader.takeText('user', input, 'input');
  else {
    forEachRecord(
      input,
      'input',
      (item, path) => {
        reader.take(item, path);
      },
      (path) => {
        losses.omit(path);
      },
    );
  }
  return reader.end();
}

/** An assistant's message while its items are read: chat joins texts, tool calls and reasoning in one message. */
class AssistantDraft {
  readonly content: ChatParts = { parts: [], origins: [] };
  readonly calls: ChatParts = { parts: [], origins: [] };
  readonly details: ChatParts = { parts: [], origins: [] };
  readonly reasoning: Record<string, string> = {};

  constructor(readonly item: string) {}

  /** How many blocks the message has so far. Blank text makes none. */
  get blockCount(): number {
    const texts = this.content.parts.filter((part) => textIn(part['text'] ?? part['refusal']).trim() !== '');
    return texts.length + this.calls.parts.length + this.details.parts.length;
  }

  message(): JsonRecord {
    const { content, calls, details, reasoning } = this;
    return {
      role: 'assistant',
      content: content.parts.length === 0 && calls.parts.length > 0 ? null : chatContent(content.parts),
      ...reasoning,
      ...(details.parts.length > 0 && { reasoning_details: details.parts }),
      ...(calls.parts.length > 0 && { tool_calls: calls.parts }),
    };
  }

  get isEmpty(): boolean {
    const { content, calls, details, reasoning } = this;
    const lists = [content, calls, details];
    return lists.every(({ parts }) => parts.length === 0) && Object.keys(reasoning).length === 0;
  }
}

class ItemReader {
  readonly #form: ChatForm;
  readonly #losses: Losses;
  readonly #messages: JsonRecord[] = [];
  readonly #origins: MessageOrigin[] = [];
  #assistant: AssistantDraft | null = null;
  /** Images and files of tool results, for a user message after the last of them. */
  #media: ChatParts = { parts: [], origins: [] };

  constructor(form: ChatForm, losses: Losses) {
    this.#form = form;
    this.#losses = losses;
  }

  take(item: JsonRecord, path: string): void {
    switch (item['type'] ?? 'message') {
      case 'message':
        this.#takeMessage(item, path);
        break;
      case 'reasoning':
        this.#takeReasoning(item, path);
        break;
      case 'function_call':
        this.#takeCall(item, { function: { name: item['name'], arguments: item['arguments'] } }, path);
        break;
      case 'custom_tool_call':
        this.#takeCall(item, { custom: { name: item['name'], input: item['input'] } }, path);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#takeResult(item, path);
        break;
      default:
        this.#losses.omit(path);
    }
  }

  takeText(role: string, text: string, path: string): void {
    this.#push({ role, content: text }, { item: path, content: textParts(text).map(() => path) });
  }

  end(): ChatConversation {
    this.#endAssistant();
    this.#endResults();
    return { messages: this.#messages, origins: this.#origins };
  }

  #takeMessage({ role, content }: JsonRecord, path: string): void {
    const read = responsePartsToChat(content, `${path}.content`, this.#losses);
    if (role === 'assistant') {
      const draft = this.#draft(path);
      appendAll(draft.content.parts, read.parts);
      appendAll(draft.content.origins, read.origins);
      return;
    }
    this.#endAssistant();
    this.#endResults();
    // Only OpenAI's own models know the role `developer`, and they take `system` for the same.
    const chatRole = role === 'developer' ? 'system' : role;
    this.#push({ role: chatRole, content: chatContent(read.parts) }, { item: path, content: read.origins });
  }

  #takeCall({ call_id: id }: JsonRecord, called: JsonRecord, path: string): void {
    const { calls } = this.#draft(path);
    calls.parts.push({ id, type: Object.keys(called)[0], ...called });
    calls.origins.push(path);
  }

  #takeReasoning(item: JsonRecord, path: string): void {
    const draft = this.#draft(path);
    const original = originalReasoning(item, draft.blockCount);
    if (original === null || 'detail' in original !== this.#form.signedReasoning) this.#losses.omit(path);
    else if ('detail' in original) {
      draft.details.parts.push(original.detail);
      draft.details.origins.push(path);
    } else if (!isTaken(original.field, this.#form.reasoningFields)) this.#losses.foreignReasoning(path);
    else draft.reasoning[original.field] = (draft.reasoning[original.field] ?? '') + original.text;
  }

  #takeResult({ call_id: id, output }: JsonRecord, path: string): void {
    this.#endAssistant();
    const read = responsePartsToChat(output, `${path}.output`, this.#losses);
    const kept: ChatParts = { parts: [], origins: [] };
    for (const [index, part] of read.parts.entries()) {
      const into = part['type'] === 'text' || this.#form.mediaInResults ? kept : this.#media;
      into.parts.push(part);
      into.origins.push(read.origins[index] ?? path);
    }
    const content = typeof output === 'string' ? output : chatContent(kept.parts);
    this.#push({ role: 'tool', tool_call_id: id, content }, { item: path, content: kept.origins });
  }

  #draft(path: string): AssistantDraft {
    if (this.#assistant === null) this.#endResults();
    return (this.#assistant ??= new AssistantDraft(path));
  }

  #endAssistant(): void {
    const draft = this.#assistant;
    this.#assistant = null;
    if (draft === null || draft.isEmpty) return;
    this.#push(draft.message(), {
      item: draft.item,
      content: draft.content.origins,
      tool_calls: draft.calls.origins,
      reasoning_details: draft.details.origins,
    });
  }

  #endResults(): void {
    const { parts, origins } = this.#media;
    if (parts.length === 0) return;
    this.#media = { parts: [], origins: [] };
    this.#push({ role: 'user', content: parts }, { item: origins[0] ?? 'input', content: origins });
  }

  #push(message: JsonRecord, origin: Pick<MessageOrigin, 'item'> & Partial<MessageOrigin>): void {
    this.#messages.push(message);
    this.#origins.push({ content: [], tool_calls: [], reasoning_details: [], ...origin });
  }
}
