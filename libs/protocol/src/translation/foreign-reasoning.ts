import { changedParts, somePart } from '../call/prompt-parts';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { type TranslationTarget } from './call/translation-target';
import { type Losses } from './loss';
import { REASONING_FIELDS, reasoningFieldOf, thinkingBlockOf } from './reasoning';
import { listIn } from './untyped-json';

/** Thinking that the service translated from a field of a chat message. No provider of messages can verify it. */
const isForeignThinking = (part: JsonRecord): boolean =>
  part['type'] === 'thinking' && reasoningFieldOf(part) !== null;

export const hasForeignThinking = (body: JsonRecord): boolean => somePart(body, isForeignThinking);

/** The turns of a messages call without thinking that another provider wrote. */
export function withoutForeignReasoning(
  body: JsonRecord,
  _target: TranslationTarget,
  losses: Losses,
): JsonRecord {
  if (!hasForeignThinking(body)) return {};
  return changedParts(body, (part, path) => {
    if (!isForeignThinking(part)) return part;
    losses.change(path, `\`${path}\` is reasoning of another provider; it was left out.`);
    return null;
  });
}

/** Fields of a chat message in which reasoning comes back. */
const MESSAGE_FIELDS = [...REASONING_FIELDS, 'reasoning_details'] as const;

const isSigned = (detail: unknown): boolean => isRecord(detail) && thinkingBlockOf(detail) !== null;

/** A message of the service's own: Anthropic's signed thinking, which chat completions have no place for. */
const hasSignedDetails = (message: JsonRecord): boolean =>
  message['role'] === 'assistant' && listIn(message['reasoning_details']).some(isSigned);

export const hasSignedReasoning = ({ messages }: JsonRecord): boolean =>
  listIn(messages).some((message) => isRecord(message) && hasSignedDetails(message));

/** The messages of a chat call without the reasoning of Anthropic's models, unless the provider takes it by its entry. */
export function withoutSignedDetails(
  body: JsonRecord,
  { reasoningFields }: TranslationTarget,
  losses: Losses,
): JsonRecord {
  const isTaken = (field: string): boolean => reasoningFields?.includes(field) === true;
  if (!hasSignedReasoning(body) || isTaken('reasoning_details')) return {};
  return changedParts({ messages: body['messages'] }, (message, path) => {
    if (!hasSignedDetails(message)) return message;
    const left: Record<string, unknown> = { ...message };
    for (const field of MESSAGE_FIELDS) {
      if ((left[field] ?? null) === null) continue;
      losses.change(
        `${path}.${field}`,
        `\`${path}.${field}\` is reasoning of another provider; it was left out.`,
      );
      delete left[field];
    }
    return left;
  });
}
