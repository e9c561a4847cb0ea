import { generative, type GenerativeOperation, otherProtocol } from '../../call/operation';
import { type ParsedCall } from '../../call/parse-call';
import { withoutPaths } from '../../call/omitted-paths';
import { toolNameForm, unusualToolNames, withShortNames } from '../../call/tool-names';
import { refusedPaths, takesNone } from '../../call/taken-values';
import { encodeUtf8, type JsonRecord } from '../../json/byte-text';
import { type MemberEdit, type MemberEdits, spliceMembers } from '../../json/splice';
import { topLevelMembers } from '../../json/top-level-members';
import { inChatForm } from '../chat-form';
import { withConversation } from './with-conversation';
import { type Loss, Losses } from '../loss';
import { chatCallToMessages } from './chat-call-to-messages';
import { callersPath } from './callers-path';
import { type TakeMemory, withLongTexts } from './long-texts';
import { messagesCallToChat } from './messages-call-to-chat';
import { nativeChanges, paidChanges } from './native-changes';
import { responsesCallToChat } from './responses-call-to-chat';
import { responsesCallToMessages } from './responses-call-to-messages';
import { rewriteResponsesCall } from './rewrite-responses-call';
import { type TranslationTarget } from './translation-target';

/** A call with its complete body. */
type WholeCall = Pick<ParsedCall, 'operation' | 'body'>;

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

/** A body that was already parsed as a call. */
type LongCall = Pick<ParsedCall, 'operation' | 'bodyBytes'>;

/** The body of {@link translateCall}, in which long texts of the prompt are the caller's own bytes and no copies. */
export function translateLongCall(
  { operation, bodyBytes }: LongCall,
  target: TranslationTarget,
  take?: TakeMemory,
): readonly Uint8Array[] {
  const write = (body: JsonRecord) => translateCall({ operation, body }, target).body;
  return withLongTexts(bodyBytes, write, take === undefined ? {} : { take });
}

/** {@link rewriteCall}, as {@link translateLongCall} does. */
export function rewriteLongCall(
  { operation, bodyBytes }: LongCall,
  target: TranslationTarget,
  edits: MemberEdits,
  take?: TakeMemory,
): readonly Uint8Array[] {
  const members = topLevelMembers(bodyBytes);
  const write = (body: JsonRecord) => rewriteCall({ operation, body, bodyBytes, members }, target, edits);
  return withLongTexts(bodyBytes, write, take === undefined ? {} : { take });
}

/** The losses of {@link translateCall} for this target, for the choice of a route. */
export function untranslatable(call: WholeCall, target: TranslationTarget): readonly Loss[] {
  const losses = new Losses();
  translate(call, target, losses);
  return losses.all;
}

/** A call of which only some members below the top level change. */
type RewrittenCall = WholeCall & Pick<ParsedCall, 'bodyBytes' | 'members'>;

/**
 * The body for an upstream of the call's own protocol that does not take all of it, as pieces to write in order: the caller's
 * bytes except for what must change.
 * @param edits what is changed at the top level of every call
 */
export function rewriteCall(
  call: RewrittenCall,
  target: TranslationTarget,
  edits: MemberEdits,
): Uint8Array[] {
  const { omit = [] } = target;
  const sent = withoutPaths(call.body, omit);
  const changed = nativeChanges(call.operation, sent, target, new Losses());
  const fields = new Set([...omit.map((path) => path.split('.')[0] ?? path), ...Object.keys(changed)]);
  const body: JsonRecord = { ...sent, ...changed };
  const own = [...fields].map((field): MemberEdit => [field, JSON.stringify(body[field]) ?? null]);
  return spliceMembers(call.bodyBytes, call.members, [...edits, ...own]);
}

function translate(call: WholeCall, target: TranslationTarget, losses: Losses): JsonRecord {
  const sent = withoutPaths(call.body, target.omit ?? []);
  const { operation } = call;
  if (operation === target.operation) {
    const body = { ...sent, ...nativeChanges(operation, sent, target, losses) };
    return operation === 'responses'
      ? withConversation(operation, rewriteResponsesCall(body, target, losses), losses)
      : body;
  }
  const paid = { ...sent, ...paidChanges(operation, sent, target) };
  const translated = translations[generative(operation)](paid, target, losses);
  const spoken = target.operation ?? otherProtocol(operation);
  const form = toolNameForm(spoken, target.chatForm);
  const renamed = { ...translated, ...withShortNames(form, translated, unusualToolNames(call.body)) };
  const callers = new Losses((path) => callersPath(operation, path, sent), losses);
  const formed = spoken === 'chat_completions' ? inFormOf(renamed, target, callers) : renamed;
  return taken(withConversation(spoken, formed, callers), target, callers);
}

/** A chat call that translation made, in the form of the provider. */
function inFormOf(body: JsonRecord, target: TranslationTarget, losses: Losses): JsonRecord {
  const { takes } = target;
  const { max_completion_tokens: limit } = body;
  return {
    ...body,
    ...inChatForm(body, target, losses),
    ...(takesNone(takes, 'max_completion_tokens') && { max_completion_tokens: undefined, max_tokens: limit }),
    ...(takesNone(takes, 'stream_options') && { stream_options: undefined }),
  };
}

/** Without what the model refuses of what translation made. */
function taken(body: JsonRecord, { takes }: TranslationTarget, losses: Losses): JsonRecord {
  if (takes === undefined) return body;
  const refused = refusedPaths(body, takes);
  for (const path of refused) losses.refuse(path);
  return refused.length === 0 ? body : withoutPaths(body, refused);
}

const translations: Readonly<Record<GenerativeOperation, typeof chatCallToMessages>> = {
  chat_completions: chatCallToMessages,
  messages: messagesCallToChat,
  responses: translateResponsesCall,
};

function translateResponsesCall(body: JsonRecord, target: TranslationTarget, losses: Losses): JsonRecord {
  return target.operation === 'messages'
    ? responsesCallToMessages(body, target, losses)
    : responsesCallToChat(body, target, losses).body;
}
