import { isRecord, type JsonRecord } from '../json/byte-text';

/**
 * Fields in which OpenAI-compatible providers send a model's reasoning. OpenAI's own protocol has none. The name is the
 * `signature` of the translated thinking block: when the caller sends the block back, it shows the text's origin.
 */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

export type ReasoningField = (typeof REASONING_FIELDS)[number];

/** The fields of a chat message in which a provider takes reasoning back. Undefined for one of which that is not known. */
export type ReasoningFields = readonly string[] | undefined;

export const isTaken = (field: string, taken: ReasoningFields): boolean => taken?.includes(field) ?? true;

/** `content`: the provider sent it among the parts of the answer's text. It takes none back. */
export type ReasoningOrigin = ReasoningField | 'content';

interface Reasoning {
  readonly field: ReasoningField;
  readonly text: string;
}

/** The reasoning in a chat message or delta. Null when there is none. */
export function reasoningIn(message: JsonRecord): Reasoning | null {
  for (const field of REASONING_FIELDS) {
    const text = message[field];
    if (typeof text === 'string' && text !== '') return { field, text };
  }
  return null;
}

/** The field from which a thinking block was translated. Null for thinking with a provider's own signature. */
export function reasoningFieldOf(block: JsonRecord): ReasoningField | null {
  return REASONING_FIELDS.find((field) => field === block['signature']) ?? null;
}

/** The signatures of thinking that was translated from a chat message. */
export const TRANSLATED_SIGNATURES: ReadonlySet<unknown> = new Set<ReasoningOrigin>([
  ...REASONING_FIELDS,
  'content',
]);

/** True where a thinking block was translated from a chat message. No provider of messages can verify it. */
export const isTranslatedThinking = ({ type, signature }: JsonRecord): boolean =>
  type === 'thinking' && TRANSLATED_SIGNATURES.has(signature);

const FORMAT = 'anthropic-claude-v1';

/**
 * A thinking block as an entry of `reasoning_details`, in OpenRouter's format, which chat clients send back unchanged.
 * `index`: the block's position in its message. Null for any other block.
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

/**
 * The block of an entry of `reasoning_details`. Null when Anthropic cannot verify it: unsigned or of another provider.
 */
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
