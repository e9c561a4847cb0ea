import { type JsonRecord } from '../../json/byte-text';
import { Losses } from '../loss';
import { chatCallToMessages } from './chat-call-to-messages';
import { responsesCallToChat } from './responses-call-to-chat';
import { type TranslationTarget } from './translation-target';

/**
 * Translates the body of a responses call to one of a messages call, by way of chat completions. Losses name the
 * parameters of the responses call.
 */
export function responsesCallToMessages(
  body: JsonRecord,
  target: TranslationTarget,
  losses: Losses,
): JsonRecord {
  const chat = responsesCallToChat(body, target, losses, false);
  return chatCallToMessages(chat.body, target, new Losses((path) => chat.pathOf(path), losses));
}
