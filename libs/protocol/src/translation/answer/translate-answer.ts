import { type PlainAnswer, readPlainAnswer } from '../../answer/plain-answer';
import { type Operation } from '../../call/operation';
import { type ParsedCall } from '../../call/parse-call';
import { decodeUtf8, encodeUtf8, type JsonRecord, parseRecord } from '../../json/byte-text';
import { type TokenUsage } from '../../usage/token-usage';
import { expectsFunctionCall } from '../call/chat-tools-to-messages';
import { Losses } from '../loss';
import { completionToMessage } from './completion-to-message';
import { messageToCompletion } from './message-to-completion';

/** The operation of an upstream that speaks the other protocol. */
const translatedOperation = (operation: Operation): Operation =>
  operation === 'messages' ? 'chat_completions' : 'messages';

/**
 * Reads the body of an upstream's 200 in the other protocol and translates it. Null when it is not an answer of that
 * protocol, which is a provider error (docs/reference/errors.md#failures-of-a-provider).
 */
export function translatePlainAnswer(
  call: ParsedCall,
  bytes: Uint8Array,
  { createdAtSeconds }: { readonly createdAtSeconds: number },
): PlainAnswer | null {
  const upstream = readPlainAnswer(translatedOperation(call.operation), bytes);
  const answer = upstream === null ? null : parseRecord(decodeUtf8(bytes));
  if (upstream === null || answer === null) return null;
  const losses = new Losses();
  const translated = translate(call, answer, upstream.usage, createdAtSeconds, losses);
  if (translated === null) return null;
  const read = readPlainAnswer(call.operation, encodeUtf8(JSON.stringify(translated)));
  // A translated message has zero counters when the provider reported none: they are not a usage report.
  return read === null ? null : { ...read, usage: upstream.usage, losses: losses.all };
}

function translate(
  call: ParsedCall,
  answer: JsonRecord,
  usage: TokenUsage | null,
  createdAtSeconds: number,
  losses: Losses,
): JsonRecord | null {
  if (call.operation === 'messages') return completionToMessage(answer, usage, losses);
  return messageToCompletion(
    answer,
    usage,
    { createdAtSeconds, asFunctionCall: expectsFunctionCall(call) },
    losses,
  );
}
