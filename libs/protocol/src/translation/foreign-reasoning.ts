import { changedParts, somePart } from './prompt-parts';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Losses } from './loss';
import {
  isTaken,
  isTranslatedThinking,
  REASONING_FIELDS,
  type ReasoningFields,
  thinkingBlockOf,
} from './reasoning';
import { listIn } from './untyped-json';

export const hasForeignThinking = (body: JsonRecord): boolean => somePart(body, isTranslatedThinking);

/** The turns of a messages call without thinking that another provider wrote. */
export function withoutForeignReasoning(body: JsonRecord, _target: unknown, losses: Losses): JsonRecord {
  if (!hasForeignThinking(body)) return {};
  return changedParts(body, (part, path) => {
    if (!isTranslatedThinking(part)) return part;
    losses.foreignReasoning(path);
    return null;
  });
}

/** Fields of a chat message in which reasoning comes back. */
const MESSAGE_FIELDS = [...REASONING_FIELDS, 'reasoning_details'] as const;

const reasoningIn = (message: JsonRecord): readonly string[] =>
  message['role'] === 'assistant' ? MESSAGE_FIELDS.filter((field) => (message[field] ?? null) !== null) : [];

const isSigned = (detail: unknown): boolean => isRecord(detail) && thinkingBlockOf(detail) !== null;

/** True where the reasoning of a message is Anthropic's, which chat completions have no place for: the service told it so. */
const hasSignedDetails = (message: JsonRecord): boolean =>
  listIn(message['reasoning_details']).some(isSigned);

export const hasSignedReasoning = ({ messages }: JsonRecord): boolean =>
  listIn(messages).some((message) => isRecord(message) && hasSignedDetails(message));

/** True where any message of a chat call has reasoning, which some providers refuse. */
export const sendsReasoning = ({ messages }: JsonRecord): boolean =>
  listIn(messages).some((message) => isRecord(message) && reasoningIn(message).length > 0);

/**
 * The messages of a chat call without reasoning that the provider does not take: of another field than its own, or of Anthropic's
 * models where its own is not known.
 */
export function withoutUntakenReasoning(
  { messages }: JsonRecord,
  { reasoningFields: taken }: { readonly reasoningFields?: ReasoningFields },
  losses: Losses,
): JsonRecord {
  return changedParts({ messages }, (message, path) => {
    const isKept = (field: string) =>
      taken === undefined ? !hasSignedDetails(message) : isTaken(field, taken);
    const left = reasoningIn(message).filter((field) => !isKept(field));
    if (left.length === 0) return message;
    for (const field of left) losses.foreignReasoning(`${path}.${field}`);
    return Object.fromEntries(Object.entries(message).filter(([name]) => !left.includes(name)));
  });
}
