import { type ParsedCall } from '../../call/parse-call';
import { decodeUtf8, encodeUtf8, type JsonRecord, parseRecord } from '../../json/byte-text';
import { type Loss, Losses } from '../loss';
import { chatCallToMessages } from './chat-call-to-messages';
import { messagesCallToChat } from './messages-call-to-chat';
import { type TranslationTarget } from './translation-target';

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
export function translateCall(call: ParsedCall, target: TranslationTarget): TranslatedCall {
  const losses = new Losses();
  const body = JSON.stringify(translate(call, target, losses));
  return { body: [encodeUtf8(body)], losses: losses.all };
}

/** What {@link translateCall} would lose at this target, for a planner that has not chosen yet. */
export function untranslatable(call: ParsedCall, target: TranslationTarget): readonly Loss[] {
  const losses = new Losses();
  translate(call, target, losses);
  return losses.all;
}

function translate(call: ParsedCall, target: TranslationTarget, losses: Losses): JsonRecord {
  const translateBody = call.operation === 'messages' ? messagesCallToChat : chatCallToMessages;
  const omitted = new Set(target.omit);
  const sent = Object.entries(wholeBody(call)).filter(([name]) => !omitted.has(name));
  return translateBody(Object.fromEntries(sent), target, losses);
}

/** A call that was parsed on another thread may have come without its large members. */
function wholeBody({ body, members, bodyBytes }: ParsedCall): JsonRecord {
  const isWhole = members.members.every(({ key }) => Object.hasOwn(body, key));
  return isWhole ? body : (parseRecord(decodeUtf8(bodyBytes)) ?? body);
}
