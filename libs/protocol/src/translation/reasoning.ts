import { isRecord, type JsonRecord } from '../json/byte-text';

/**
 * Names under which OpenAI-compatible providers tell a model's reasoning; OpenAI's own protocol has none. As the
 * `signature` of a thinking block the name tells, when the caller sends the block back, where the text came from.
 */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

export type ReasoningField = (typeof REASONING_FIELDS)[number];

export interface ToldReasoning {
  readonly field: ReasoningField;
  readonly text: string;
}

/** The reasoning in a chat message or delta; null when it holds none. */
export function reasoningIn(message: JsonRecord): ToldReasoning | null {
  for (const field of REASONING_FIELDS) {
    const text = message[field];
    if (typeof text === 'string' && text !== '') return { field, text };
  }
  return null;
}

/** The field in which a thinking block's text came; null when it is a provider's signed thinking. */
export function reasoningFieldOf(block: JsonRecord): ReasoningField | null {
  return REASONING_FIELDS.find((field) => field === block['signature']) ?? null;
}

const FORMAT = 'anthropic-claude-v1';

/**
 * A thinking block as an entry of `reasoning_details`, in the form that OpenRouter gave it and that chat clients
 * send back untouched. `index`: the block's place in its message. Null for any other block.
 */
export function reasoningDetailOf(block: JsonRecord, index: number): JsonRecord | null {
  const common = { format: FORMAT, index };
  if (block['type'] === 'thinking') {
    return {
      type: 'reasoning.text',
      text: block['thinking'],
      signature: block['signature'] ?? null,
      ...common,
    };
  }
  if (block['type'] === 'redacted_thinking') {
    return { type: 'reasoning.encrypted', data: block['data'], ...common };
  }
  return null;
}

/** The block of an entry of `reasoning_details`; null when Anthropic could not verify it: unsigned, or another's. */
export function thinkingBlockOf(detail: unknown): JsonRecord | null {
  if (!isRecord(detail) || (detail['format'] ?? FORMAT) !== FORMAT) return null;
  const { type, text, signature, data } = detail;
  if (type === 'reasoning.text' && typeof signature === 'string' && signature !== '') {
    return { type: 'thinking', thinking: typeof text === 'string' ? text : '', signature };
  }
  return type === 'reasoning.encrypted' && typeof data === 'string'
    ? { type: 'redacted_thinking', data }
    : null;
}
