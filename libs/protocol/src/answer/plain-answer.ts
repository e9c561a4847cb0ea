import { isUtf8 } from 'node:buffer';
import { type Operation } from '../call/operation';
import { decodeUtf8, type JsonRecord, parseRecord } from '../json/byte-text';
import { spliceMembers } from '../json/splice';
import { type JsonObjectSpan, topLevelMembers } from '../json/top-level-members';
import { usageOfChatCompletion } from '../usage/chat-completion-usage';
import { usageOfMessage } from '../usage/message-usage';
import { type Loss } from '../translation/loss';
import { type TokenUsage } from '../usage/token-usage';
import { editsWithUsage, type AnswerAdditions } from './answer-additions';

/** A provider's answer that is not a stream. */
export interface PlainAnswer {
  readonly bytes: Uint8Array;
  /** Positions of the answer's members in `bytes`. */
  readonly members: JsonObjectSpan;
  /** Null when the provider reported no usable usage. */
  readonly usage: TokenUsage | null;
  /** Parts of the answer that the translation lost. Empty when both sides speak one protocol. */
  readonly losses: readonly Loss[];
}

/**
 * Reads the body of an upstream's 200. Null when it is not an answer of its protocol, which is a provider error
 * (docs/reference/errors.md#failures-of-a-provider).
 */
export function readPlainAnswer(operation: Operation, bytes: Uint8Array): PlainAnswer | null {
  if (!isUtf8(bytes)) return null;
  const answer = parseRecord(decodeUtf8(bytes));
  if (answer === null || !isAnswer[operation](answer)) return null;
  const usageOf = operation === 'messages' ? usageOfMessage : usageOfChatCompletion;
  return { bytes, members: topLevelMembers(bytes), usage: usageOf(answer['usage']), losses: [] };
}

const isAnswer: Readonly<Record<Operation, (answer: JsonRecord) => boolean>> = {
  chat_completions: (answer) => Array.isArray(answer['choices']),
  messages: (answer) => answer['type'] === 'message' && Array.isArray(answer['content']),
};

/**
 * The answer for the caller, as pieces to write in order: the provider's bytes with the caller's name of the model and
 * the additions.
 */
export function renderPlainAnswer(
  answer: PlainAnswer,
  { model, additions }: { readonly model: string; readonly additions: AnswerAdditions },
): Uint8Array[] {
  const edits = editsWithUsage(additions);
  return spliceMembers(answer.bytes, answer.members, [['model', JSON.stringify(model)], ...edits]);
}
