import { type ParsedCall } from '../../call/parse-call';
import { encodeUtf8, type JsonRecord } from '../../json/byte-text';
import { type Loss, Losses } from '../loss';
import { chatCallToMessages } from './chat-call-to-messages';
import { messagesCallToChat } from './messages-call-to-chat';
import { type TranslationTarget } from './translation-target';

/** What is said of a call in its body, all of it. */
export type WholeCall = Pick<ParsedCall, 'operation' | 'body'>;

export interface TranslatedCall {
  /** The upstream body, as pieces to be written one after another. */
  readonly body: Uint8Array[];
  /** For `warnings[]`, or a strict call's 422 (interface.md, Compatibility rules). */
  readonly losses: readonly Loss[];
}

/**
 * The body for an upstream that speaks the other protocol. What a provider would refuse is left to it: a value out
 * of range, an id that matches nothing.
 */
export function translateCall(call: WholeCall, target: TranslationTarget): TranslatedCall {
  const losses = new Losses();
  const body = JSON.stringify(translate(call, target, losses));
  return { body: [encodeUtf8(body)], losses: losses.all };
}

/** What {@link translateCall} would lose at this target, for a planner that has not chosen yet. */
export function untranslatable(call: WholeCall, target: TranslationTarget): readonly Loss[] {
  const losses = new Losses();
  translate(call, target, losses);
  return losses.all;
}

function translate(call: WholeCall, target: TranslationTarget, losses: Losses): JsonRecord {
  const translateBody = call.operation === 'messages' ? messagesCallToChat : chatCallToMessages;
  const omitted = new Set(target.omit);
  const sent = Object.entries(call.body).filter(([name]) => !omitted.has(name));
  return translateBody(Object.fromEntries(sent), target, losses);
}
