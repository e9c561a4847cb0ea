import { isRecord, type JsonRecord } from '../json/byte-text';
import { inputContent } from './embedding-input';
import { type Operation } from './operation';
import { TEXT_PARTS } from './prompt-bound';
import { responsePromptText } from './response-prompt';

/** A prompt in the form that is counted. */
interface PromptText {
  readonly texts: readonly string[];
  /** Tokens that the caller sent as numbers. */
  readonly tokenCount: number;
  /** Messages including the system prompt. Providers add some tokens around each. */
  readonly messageCount: number;
  /** Images, documents and other media, whose tokens are not text of the body. */
  readonly mediaCount: number;
}

/** Fields that are part of the prompt beside messages and the system prompt. */
const OTHER_PROMPT_FIELDS = [
  'tools',
  'functions',
  'tool_choice',
  'function_call',
  'response_format',
  'output_format',
  'output_config',
  'prediction',
  'compaction',
  'context_management',
] as const;

/** The text that a provider counts in a body of each operation, without the text that the provider adds. */
const promptTexts: Readonly<Record<Operation, (body: JsonRecord) => PromptText>> = {
  chat_completions: textOfMessages,
  messages: textOfMessages,
  responses: (body) => ({ ...responsePromptText(body), tokenCount: 0 }),
  embeddings: (body) => ({ ...inputContent(body), messageCount: 0, mediaCount: 0 }),
};

export const promptText = (operation: Operation, body: JsonRecord): PromptText =>
  promptTexts[operation](body);

function textOfMessages(body: JsonRecord): PromptText {
  const { system } = body;
  const messages = Array.isArray(body['messages']) ? (body['messages'] as readonly unknown[]) : [];
  const found: Found = { texts: [], mediaCount: 0 };
  for (const part of [system, ...messages]) collect(part, found);
  for (const field of OTHER_PROMPT_FIELDS) {
    const value = body[field] ?? null;
    if (value !== null) found.texts.push(JSON.stringify(value));
  }
  const hasSystem = (system ?? null) !== null;
  return { ...found, tokenCount: 0, messageCount: messages.length + (hasSystem ? 1 : 0) };
}

interface Found {
  readonly texts: string[];
  mediaCount: number;
}

/** Collects the text of a message or a part. A part that is not text, such as a tool call, counts as JSON. */
function collect(part: unknown, found: Found): void {
  if (typeof part === 'string') found.texts.push(part);
  else if (Array.isArray(part)) for (const inner of part) collect(inner, found);
  else if (isRecord(part)) {
    if (part['role'] === undefined && !TEXT_PARTS.has(String(part['type']))) {
      collectMedia(part, found);
      return;
    }
    // A signature lets the provider verify the thinking. It is not part of the prompt.
    const { role: _role, type: _type, cache_control: _cache, signature: _signature, ...members } = part;
    const { content, text, thinking, refusal, ...rest } = members;
    for (const inner of [content, text, thinking, refusal]) collect(inner, found);
    if (Object.keys(rest).length > 0) found.texts.push(JSON.stringify(rest));
  }
}

/** A document may consist of text. */
function collectMedia({ source }: JsonRecord, found: Found): void {
  const isText = isRecord(source) && (source['type'] === 'text' || source['type'] === 'content');
  if (isText) collect(source['data'] ?? source['content'], found);
  else found.mediaCount++;
}
