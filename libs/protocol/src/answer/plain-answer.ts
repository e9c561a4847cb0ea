import { isUtf8 } from 'node:buffer';
import { type Operation } from '../call/operation';
import { byteJson, bytesInside } from '../json/byte-json';
import { decodeUtf8, type JsonRecord, parseRecord } from '../json/byte-text';
import { spliceMembers } from '../json/splice';
import { type JsonObjectSpan, topLevelMembers } from '../json/top-level-members';
import { generatedText } from '../output/answer-output';
import { usageOfChatAnswer } from '../usage/chat-completion-usage';
import { usageOfMessage } from '../usage/message-usage';
import { usageOfResponse } from '../usage/response-usage';
import { type Loss } from '../translation/loss';
import { countsAnswer, type TokenUsage } from '../usage/token-usage';
import { editsWithUsage, type AnswerAdditions } from './answer-additions';
import { embeddingsMembers, usageOfEmbeddings } from './embeddings-answer';
import { UNFINISHED } from './response-status';
import { completionWithUsualReasons, messageWithUsualReason } from './usual-reasons';

/** A provider's answer that is not a stream. */
export interface PlainAnswer {
  readonly bytes: Uint8Array;
  /** Positions of the answer's members in `bytes`. */
  readonly members: JsonObjectSpan;
  /** Null when the provider reported no usable usage of the answer. */
  readonly usage: TokenUsage | null;
  /** The usage that was reported so far. Use it of an answer without {@link usage}. */
  readonly reportedSoFar: TokenUsage | null;
  /** Bytes of generated text, reasoning and tool arguments, as a stream counts them. 0 where there is a usage. */
  readonly outputBytes: number;
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
  chat_completions: (bytes) => readGenerated('chat_completions', bytes, completions),
  messages: (bytes) => readGenerated('messages', bytes, messages),
  responses: (bytes) => readGenerated('responses', bytes, responses),
  embeddings: readEmbeddings,
};

interface GeneratedForm {
  isAnswer(answer: JsonRecord): boolean;
  usageOf(answer: JsonRecord): TokenUsage | null;
  /** The bytes with what compatible servers write differently made usual. Null when the answer says that it failed. */
  usual(bytes: Uint8Array, answer: JsonRecord): Uint8Array | null;
}

const completions: GeneratedForm = {
  isAnswer: ({ choices, error }) => Array.isArray(choices) && !error,
  usageOf: usageOfChatAnswer,
  usual: completionWithUsualReasons,
};

const messages: GeneratedForm = {
  isAnswer: ({ type, content }) => type === 'message' && Array.isArray(content),
  usageOf: ({ usage }) => usageOfMessage(usage),
  usual: messageWithUsualReason,
};

const responses: GeneratedForm = {
  isAnswer: ({ object, output, status }) =>
    object === 'response' && Array.isArray(output) && !UNFINISHED.has(status),
  usageOf: ({ usage }) => usageOfResponse(usage),
  usual: (bytes) => bytes,
};

function readGenerated(operation: Operation, bytes: Uint8Array, form: GeneratedForm): PlainAnswer | null {
  const answer = parseRecord(decodeUtf8(bytes));
  if (answer === null || !form.isAnswer(answer)) return null;
  const usual = form.usual(bytes, answer);
  if (usual === null) return null;
  const reportedSoFar = form.usageOf(answer);
  // Few reports have zeros, so most answers are not searched for text.
  const isCertain = reportedSoFar !== null && countsAnswer(reportedSoFar, true);
  const outputBytes = isCertain ? 0 : textBytes(operation, answer);
  const isUsage = reportedSoFar !== null && countsAnswer(reportedSoFar, outputBytes > 0);
  const usage = isUsage ? reportedSoFar : null;
  return { bytes: usual, members: topLevelMembers(usual), usage, reportedSoFar, outputBytes, losses: [] };
}

const textBytes = (operation: Operation, answer: JsonRecord): number =>
  generatedText(operation, answer).reduce((sum, [, text]) => sum + bytesInside(byteJson(text)), 0);

/** The vectors are megabytes, so they are not parsed. */
function readEmbeddings(bytes: Uint8Array): PlainAnswer | null {
  const members = embeddingsMembers(bytes);
  if (members === null) return null;
  const usage = usageOfEmbeddings(bytes, members);
  return { bytes, members, usage, reportedSoFar: usage, outputBytes: 0, losses: [] };
}

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
