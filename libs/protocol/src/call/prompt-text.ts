import { isRecord, type JsonRecord } from '../json/byte-text';
import { TEXT_PARTS } from './prompt-bound';

/** A prompt, ready to be counted. */
export interface PromptText {
  readonly texts: readonly string[];
  /** Messages, the system prompt among them: providers put some tokens around each. */
  readonly messageCount: number;
  /** Images, documents and the like: their tokens don't stand in the body. */
  readonly mediaCount: number;
}

/** What besides messages and the system prompt is put before a model. */
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

/** The text that a provider counts of a body of either route. What it writes around the text is its own. */
export function promptText(body: JsonRecord): PromptText {
  const { system } = body;
  const messages = Array.isArray(body['messages']) ? (body['messages'] as readonly unknown[]) : [];
  const found: Found = { texts: [], mediaCount: 0 };
  for (const part of [system, ...messages]) collect(part, found);
  for (const field of OTHER_PROMPT_FIELDS) {
    const value = body[field] ?? null;
    if (value !== null) found.texts.push(JSON.stringify(value));
  }
  const hasSystem = (system ?? null) !== null;
  return { ...found, messageCount: messages.length + (hasSystem ? 1 : 0) };
}

interface Found {
  readonly texts: string[];
  mediaCount: number;
}

/** Reads a message, or a part of one; what is not plainly text, such as a tool call, counts as it was written. */
function collect(part: unknown, found: Found): void {
  if (typeof part === 'string') found.texts.push(part);
  else if (Array.isArray(part)) for (const inner of part) collect(inner, found);
  else if (isRecord(part)) {
    if (part['role'] === undefined && !TEXT_PARTS.has(String(part['type']))) {
      collectMedia(part, found);
      return;
    }
    // A signature proves to the provider what stands beside it, and is no part of the prompt.
    const { role: _role, type: _type, cache_control: _cache, signature: _signature, ...told } = part;
    const { content, text, thinking, refusal, ...rest } = told;
    for (const inner of [content, text, thinking, refusal]) collect(inner, found);
    if (Object.keys(rest).length > 0) found.texts.push(JSON.stringify(rest));
  }
}

/** A document may be given as text. */
function collectMedia({ source }: JsonRecord, found: Found): void {
  const isText = isRecord(source) && (source['type'] === 'text' || source['type'] === 'content');
  if (isText) collect(source['data'] ?? source['content'], found);
  else found.mediaCount++;
}
