import { generative, type GenerativeOperation } from '../../call/operation';
import { type ParsedCall } from '../../call/parse-call';
import { encodeUtf8, type JsonRecord } from '../../json/byte-text';
import { type Loss, Losses } from '../loss';
import { chatCallToMessages } from './chat-call-to-messages';
import { messagesCallToChat } from './messages-call-to-chat';
import { responsesCallToChat } from './responses-call-to-chat';
import { responsesCallToMessages } from './responses-call-to-messages';
import { rewriteResponsesCall } from './rewrite-responses-call';
import { type TranslationTarget } from './translation-target';

/** A call with its complete body. */
export type WholeCall = Pick<ParsedCall, 'operation' | 'body'>;

interface TranslatedCall {
  /** The upstream body, as pieces to write in order. */
  readonly body: Uint8Array[];
  /**
   * For `warnings[]`, or a strict call's 422
   * (docs/reference/inference-and-compatibility.md#both-protocols-for-every-model).
   */
  readonly losses: readonly Loss[];
}

/**
 * The body for an upstream that speaks another protocol, or cannot be sent the call as it is. The provider checks what it would refuse itself, such as a
 * value out of range or an id that matches nothing.
 */
export function translateCall(call: WholeCall, target: TranslationTarget): TranslatedCall {
  const losses = new Losses();
  const body = JSON.stringify(translate(call, target, losses));
  return { body: [encodeUtf8(body)], losses: losses.all };
}

/** The losses of {@link translateCall} for this target, for the choice of a route. */
export function untranslatable(call: WholeCall, target: TranslationTarget): readonly Loss[] {
  const losses = new Losses();
  translate(call, target, losses);
  return losses.all;
}

function translate(call: WholeCall, target: TranslationTarget, losses: Losses): JsonRecord {
  const omitted = new Set(target.omit);
  const sent = Object.entries(call.body).filter(([name]) => !omitted.has(name));
  return translations[generative(call.operation)](Object.fromEntries(sent), target, losses);
}

const translations: Readonly<Record<GenerativeOperation, typeof chatCallToMessages>> = {
  chat_completions: chatCallToMessages,
  messages: messagesCallToChat,
  responses: translateResponsesCall,
};

function translateResponsesCall(body: JsonRecord, target: TranslationTarget, losses: Losses): JsonRecord {
  switch (target.operation) {
    case 'responses':
      return rewriteResponsesCall(body, target, losses);
    case 'messages':
      return responsesCallToMessages(body, target, losses);
    default:
      return responsesCallToChat(body, target, losses).body;
  }
}
