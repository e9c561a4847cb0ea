import { type PlainAnswer, readPlainAnswer } from '../../answer/plain-answer';
import { generative, type GenerativeOperation } from '../../call/operation';
import { type ParsedCall } from '../../call/parse-call';
import { decodeUtf8, encodeUtf8, type JsonRecord, parseRecord } from '../../json/byte-text';
import { type TokenUsage } from '../../usage/token-usage';
import { expectsFunctionCall } from '../call/chat-tools-to-messages';
import { Losses } from '../loss';
import { completionToMessage } from './completion-to-message';
import { messageToCompletion } from './message-to-completion';

/** What an upstream answers whose answer becomes one of the call's operation. */
interface AnswerTranslation {
  readonly from: GenerativeOperation;
  readonly translate: (answer: JsonRecord, facts: AnswerFacts, losses: Losses) => JsonRecord | null;
}

interface AnswerFacts {
  readonly call: ParsedCall;
  readonly usage: TokenUsage | null;
  readonly createdAtSeconds: number;
}

const translations: Readonly<Record<GenerativeOperation, AnswerTranslation>> = {
  chat_completions: {
    from: 'messages',
    translate: (answer, { call, usage, createdAtSeconds }, losses) => {
      const asked = { createdAtSeconds, asFunctionCall: expectsFunctionCall(call) };
      return messageToCompletion(answer, usage, asked, losses);
    },
  },
  messages: {
    from: 'chat_completions',
    translate: (answer, { usage }, losses) => completionToMessage(answer, usage, losses),
  },
};

/**
 * Reads the body of an upstream's 200 in the other protocol and translates it. Null when it is not an answer of that
 * protocol, which is a provider error (docs/reference/errors.md#failures-of-a-provider).
 */
export function translatePlainAnswer(
  call: ParsedCall,
  bytes: Uint8Array,
  { createdAtSeconds }: { readonly createdAtSeconds: number },
): PlainAnswer | null {
  const { from, translate } = translations[generative(call.operation)];
  const upstream = readPlainAnswer(from, bytes);
  const answer = upstream === null ? null : parseRecord(decodeUtf8(bytes));
  if (upstream === null || answer === null) return null;
  const losses = new Losses();
  const translated = translate(answer, { call, usage: upstream.usage, createdAtSeconds }, losses);
  if (translated === null) return null;
  const read = readPlainAnswer(call.operation, encodeUtf8(JSON.stringify(translated)));
  // A translated message has zero counters when the provider reported none: they are not a usage report.
  return read === null ? null : { ...read, usage: upstream.usage, losses: losses.all };
}
