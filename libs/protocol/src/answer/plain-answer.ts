import { isUtf8 } from 'node:buffer';
import { type Operation } from '../call/operation';
import { decodeUtf8, type JsonRecord, parseRecord } from '../json/byte-text';
import { spliceMembers } from '../json/splice';
import { type JsonObjectSpan, topLevelMembers } from '../json/top-level-members';
import { usageOfChatCompletion } from '../usage/chat-completion-usage';
import { usageOfMessage } from '../usage/message-usage';
import { usageOfResponse } from '../usage/response-usage';
import { type Loss } from '../translation/loss';
import { type TokenUsage } from '../usage/token-usage';
import { editsWithUsage, type AnswerAdditions } from './answer-additions';
import { embeddingsMembers, usageOfEmbeddings } from './embeddings-answer';

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
export const readPlainAnswer = (operation: Operation, bytes: Uint8Array): PlainAnswer | null =>
  isUtf8(bytes) ? readers[operation](bytes) : null;

const readers: Readonly<Record<Operation, (bytes: Uint8Array) => PlainAnswer | null>> = {
  chat_completions: (bytes) => readGenerated(bytes, isCompletion, usageOfChatCompletion),
  messages: (bytes) => readGenerated(bytes, isMessage, usageOfMessage),
  responses: (bytes) => readGenerated(bytes, isResponse, usageOfResponse),
  embeddings: readEmbeddings,
};

function readGenerated(
  bytes: Uint8Array,
  isAnswer: (answer: JsonRecord) => boolean,
  usageOf: (usage: unknown) => TokenUsage | null,
): PlainAnswer | null {
  const answer = parseRecord(decodeUtf8(bytes));
  if (answer === null || !isAnswer(answer)) return null;
  return { bytes, members: topLevelMembers(bytes), usage: usageOf(answer['usage']), losses: [] };
}

/** The vectors are megabytes, so they are not parsed. */
function readEmbeddings(bytes: Uint8Array): PlainAnswer | null {
  const members = embeddingsMembers(bytes);
  return members === null ? null : { bytes, members, usage: usageOfEmbeddings(bytes, members), losses: [] };
}

/** States of a response that was not generated. */
const FAILED: ReadonlySet<unknown> = new Set(['failed', 'cancelled', 'queued', 'in_progress']);

const isCompletion = (answer: JsonRecord): boolean => Array.isArray(answer['choices']);
const isResponse = ({ object, output, status }: JsonRecord): boolean =>
  object === 'response' && Array.isArray(output) && !FAILED.has(status);
const isMessage = (answer: JsonRecord): boolean =>
  answer['type'] === 'message' && Array.isArray(answer['content']);

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
