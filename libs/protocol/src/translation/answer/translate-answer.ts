import { type PlainAnswer, readPlainAnswer } from '../../answer/plain-answer';
import { generative, type GenerativeOperation, type Operation, otherProtocol } from '../../call/operation';
import { type ParsedCall } from '../../call/parse-call';
import { decodeUtf8, encodeUtf8, type JsonRecord, parseRecord } from '../../json/byte-text';
import { type TokenUsage } from '../../usage/token-usage';
import { expectsFunctionCall } from '../call/chat-tools-to-messages';
import { toolNameForm } from '../../call/tool-names';
import { type ChatForm } from '../chat-form';
import { Losses } from '../loss';
import { withCallersNames } from '../restored-names';
import { completionToMessage } from './completion-to-message';
import { completionToResponse } from './completion-to-response';
import { messageToCompletion } from './message-to-completion';
import { messageToResponse } from './message-to-response';

type TranslateAnswer = (answer: JsonRecord, facts: AnswerFacts, losses: Losses) => JsonRecord | null;

interface AnswerFacts {
  readonly call: ParsedCall;
  readonly usage: TokenUsage | null;
  readonly createdAtSeconds: number;
}

/** By the call's operation, then by the upstream's. */
const translations: Readonly<
  Record<GenerativeOperation, Readonly<Partial<Record<Operation, TranslateAnswer>>>>
> = {
  chat_completions: {
    messages: (answer, { call, usage, createdAtSeconds }, losses) => {
      const asked = { createdAtSeconds, asFunctionCall: expectsFunctionCall(call) };
      return messageToCompletion(answer, usage, asked, losses);
    },
  },
  messages: {
    chat_completions: (answer, { usage }, losses) => completionToMessage(answer, usage, losses),
  },
  responses: {
    chat_completions: (answer, { call, usage, createdAtSeconds }, losses) =>
      completionToResponse(answer, usage, { ...call, createdAtSeconds }, losses),
    messages: (answer, { call, usage, createdAtSeconds }, losses) =>
      messageToResponse(answer, usage, { ...call, createdAtSeconds }, losses),
  },
};

/** The protocol of the answer to a translated call. */
export interface TranslatedAnswerFacts {
  readonly createdAtSeconds: number;
  /** The upstream's operation. */
  readonly spoken?: Operation;
  /** The form of chat messages that the provider takes. */
  readonly chatForm?: ChatForm;
}

/**
 * Reads the body of an upstream's 200 in the other protocol and translates it. Null when it is not an answer of that
 * protocol, which is a provider error (docs/reference/errors.md#failures-of-a-provider).
 */
export function translatePlainAnswer(
  call: ParsedCall,
  bytes: Uint8Array,
  { createdAtSeconds, spoken = otherProtocol(call.operation), chatForm }: TranslatedAnswerFacts,
): PlainAnswer | null {
  const translate = translations[generative(call.operation)][spoken];
  if (translate === undefined) throw new TypeError(`No ${spoken} become ${call.operation}.`);
  const upstream = readPlainAnswer(spoken, bytes);
  const answer = upstream === null ? null : parseRecord(decodeUtf8(upstream.bytes));
  if (upstream === null || answer === null) return null;
  const losses = new Losses();
  const translated = translate(answer, { call, usage: upstream.usage, createdAtSeconds }, losses);
  if (translated === null) return null;
  const named = withCallersNames(
    call,
    toolNameForm(spoken, chatForm),
    encodeUtf8(JSON.stringify(translated)),
  );
  const read = readPlainAnswer(call.operation, named);
  // A translated message has zero counters when the provider reported none: they are not a usage report.
  const { usage, reportedSoFar, outputBytes } = upstream;
  return read === null ? null : { ...read, usage, reportedSoFar, outputBytes, losses: losses.all };
}
