import { SERVICE_MARK } from '../call/encrypted-reasoning';
import { type JsonRecord } from '../json/byte-text';
import { REASONING_FIELDS, type ReasoningField, thinkingBlockOf } from './reasoning';
import { listIn, recordIn, textIn } from './untyped-json';

/**
 * Reasoning of another protocol as an item of the responses protocol. Clients send such items back unchanged. Its
 * `encrypted_content` is a mark of the service's own that tells where the reasoning came from, and holds what that
 * provider needs to take it back. The text is in `summary` or `content`.
 */
const SIGNED = `${SERVICE_MARK}signed.`;
const REDACTED = `${SERVICE_MARK}redacted.`;
const FIELD = `${SERVICE_MARK}field.`;

/** The original of a `reasoning` item of the service: an entry of `reasoning_details`, or a field of a chat message. */
type OriginalReasoning =
  { readonly detail: JsonRecord } | { readonly field: ReasoningField; readonly text: string };

/**
 * `encrypted_content` for an entry of `reasoning_details` (see `reasoningDetailOf`) or for the text of a chat
 * message's field. Null for an entry that its provider would not take back.
 */
export function encryptedContentOf(origin: JsonRecord | ReasoningField): string | null {
  if (typeof origin === 'string') return `${FIELD}${origin}`;
  const block = thinkingBlockOf(origin);
  if (block === null) return null;
  return block['type'] === 'thinking'
    ? `${SIGNED}${textIn(block['signature'])}`
    : `${REDACTED}${textIn(block['data'])}`;
}

/**
 * The reasoning of an item that {@link encryptedContentOf} marked. Null for the item of a provider.
 * @param index the position of the reasoning among the blocks of its message
 */
export function originalReasoning(item: JsonRecord, index: number): OriginalReasoning | null {
  const mark = textIn(item['encrypted_content']);
  if (mark.startsWith(SIGNED)) {
    const signature = mark.slice(SIGNED.length);
    return { detail: { type: 'reasoning.text', text: reasoningText(item), signature, index } };
  }
  if (mark.startsWith(REDACTED)) {
    return { detail: { type: 'reasoning.encrypted', data: mark.slice(REDACTED.length), index } };
  }
  const field = REASONING_FIELDS.find((name) => mark === `${FIELD}${name}`);
  return field === undefined ? null : { field, text: reasoningText(item) };
}

function reasoningText({ content, summary }: JsonRecord): string {
  const parts = listIn(content).length > 0 ? listIn(content) : listIn(summary);
  return parts.map((part) => textIn(recordIn(part)['text'])).join('');
}
