import { type Operation } from '../../call/operation';
import { type JsonRecord } from '../../json/byte-text';
import { NOTHING_SAID, SAID_NOTHING } from '../conversation';
import { type Losses } from '../loss';

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
