import { type Operation } from '../call/operation';
import { type JsonRecord } from '../json/byte-text';
import { type Losses } from './loss';

/** The text that stands for a conversation that says nothing. Providers refuse an empty one. */
export const SAID_NOTHING = '.';

export const NOTHING_SAID = 'The provider answers no conversation that says nothing; a full stop was sent.';
export const SYSTEM_ALONE =
  'The provider answers no system prompt alone; it was sent as the message of a user.';
export const LATE_SYSTEM =
  'The provider takes no system message after an answer; it was sent as the message of a user.';
export const CONTINUED_ANSWER =
  'The provider continues the answer that the conversation ends with, or refuses it; it does not answer anew.';

/** The field of each operation that has its conversation. */
const lists: Readonly<Record<Operation, string | null>> = {
  chat_completions: 'messages',
  messages: 'messages',
  responses: 'input',
  embeddings: null,
};

/** The body with a conversation, where all of it was left out: what is not sent leaves nothing to answer. */
export function withConversation(operation: Operation, body: JsonRecord, losses: Losses): JsonRecord {
  const list = lists[operation];
  const said = list === null ? undefined : body[list];
  if (list === null || !Array.isArray(said) || said.length > 0) return body;
  losses.change(list, NOTHING_SAID);
  return { ...body, [list]: [{ role: 'user', content: SAID_NOTHING }] };
}
