import { type Operation } from '../../call/operation';
import { toolNameForm, unusualToolNames, withShortNames } from '../../call/tool-names';
import { paidParts } from '../../call/unpaid-options';
import { type JsonRecord } from '../../json/byte-text';
import { inChatForm } from '../chat-form';
import { closedFormat } from '../closed-schema';
import { withConversation } from './with-conversation';
import { type Losses } from '../loss';
import { withoutForeignReasoning, withoutUntakenReasoning } from '../foreign-reasoning';
import { withoutNullMembers } from '../null-members';
import { withProperties } from '../tool-properties';
import { type TranslationTarget } from './translation-target';

/** Gives the members of a body that a target takes in another form only. Empty when it takes the body as it is. */
type NativeChange = (body: JsonRecord, target: TranslationTarget, losses: Losses) => JsonRecord;

/** By the protocol that both the caller and the provider speak. */
const changes: Readonly<Record<Operation, readonly NativeChange[]>> = {
  chat_completions: [withProperties, withoutUntakenReasoning, withoutNullMembers, inChatForm],
  messages: [withoutForeignReasoning, closedFormat],
  responses: [withProperties],
  embeddings: [],
};

/** The changed members of a body for a provider of the caller's own protocol. What tokens do not pay for is told by the plan. */
export function nativeChanges(
  operation: Operation,
  body: JsonRecord,
  target: TranslationTarget,
  losses: Losses,
): JsonRecord {
  let changed = paidChanges(operation, body, target);
  for (const change of changes[operation]) {
    changed = { ...changed, ...change({ ...body, ...changed }, target, losses) };
  }
  const form = toolNameForm(operation, target.chatForm);
  changed = { ...changed, ...withShortNames(form, { ...body, ...changed }, unusualToolNames(body)) };
  return withConversation(operation, changed, losses);
}

export const paidChanges = (
  operation: Operation,
  body: JsonRecord,
  { paidPartsOnly }: TranslationTarget,
): JsonRecord => (paidPartsOnly === true ? paidParts(operation, body, () => undefined) : {});
