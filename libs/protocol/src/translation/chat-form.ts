import { createHash } from 'node:crypto';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Losses } from './loss';
import { REASONING_FIELDS } from './reasoning';
import { listIn } from './untyped-json';

/**
 * What a provider takes of the messages of a chat call, where it is less than what OpenAI takes
 * (docs/reference/models-and-catalog.md#what-a-message-may-have).
 */
export interface ChatForm {
  /** Members of a message that it takes beside `role` and those with reasoning. Absent for any. */
  readonly members?: readonly string[];
  /** Whether it knows the role `developer`. */
  readonly developerRole: boolean;
  /** The exact number of letters and digits in an id of a tool call. Absent for any id. */
  readonly callIdLength?: number;
  /** The member with reasoning that it requires of a message with tool calls. Absent for none. */
  readonly reasoningOfCalls?: string;
  /** Whether names of functions must begin with a letter or an underscore, and have at least 3 characters. */
  readonly strictToolNames: boolean;
  /** Whether a message may have an empty text. */
  readonly emptyText: boolean;
}

const USUAL_ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);

/** Whether the messages of a chat call have more than a usual role and a text, or less: something that a {@link ChatForm} can refuse. */
export function exceedsChatForm({ messages }: JsonRecord): boolean {
  for (const message of listIn(messages)) {
    if (!isRecord(message) || !USUAL_ROLES.has(message['role']) || isBlank(message['content'])) return true;
    for (const name in message) if (name !== 'role' && name !== 'content') return true;
  }
  return false;
}

/** The messages of a chat call in the form that the provider takes. Empty when they are in it. */
export function inChatForm(
  { messages }: JsonRecord,
  { chatForm }: { readonly chatForm?: ChatForm },
  losses: Losses,
): JsonRecord {
  if (chatForm === undefined || !Array.isArray(messages)) return {};
  const changed = messages.map((message: unknown, index) =>
    isRecord(message)
      ? changedMessage(message, chatForm, (name) => {
          losses.unknown(`messages[${String(index)}].${name}`);
        })
      : message,
  );
  const spoken = chatForm.emptyText ? changed : changed.filter((message) => !isEmptyTurn(message));
  // No conversation at all is for the provider to refuse.
  const left = spoken.length > 0 ? spoken : changed;
  const isSame =
    left.length === messages.length && left.every((message, index) => message === messages[index]);
  return isSame ? {} : { messages: left };
}

function changedMessage(message: JsonRecord, form: ChatForm, tell: (name: string) => void): JsonRecord {
  let changed = message;
  if (!form.developerRole && message['role'] === 'developer') changed = { ...changed, role: 'system' };
  if (form.members !== undefined) changed = withKnownMembers(changed, form.members, tell);
  if (form.callIdLength !== undefined) changed = withCallIds(changed, form.callIdLength);
  if (!Array.isArray(changed['tool_calls'])) return changed;
  if (form.reasoningOfCalls !== undefined && isBlank(changed[form.reasoningOfCalls])) {
    // The model made none, or the client dropped it. Providers take a blank for it.
    changed = { ...changed, [form.reasoningOfCalls]: ' ' };
  }
  return form.emptyText || changed['content'] !== ''
    ? changed
    : without(changed, (name) => name === 'content');
}

/** Without members that the provider does not know. One that says nothing is not told, and a refusal becomes the text. */
function withKnownMembers(
  message: JsonRecord,
  known: readonly string[],
  tell: (name: string) => void,
): JsonRecord {
  const isUnknown = (name: string): boolean =>
    name !== 'role' && !known.includes(name) && !REASONING_FIELDS.some((field) => field === name);
  const names = Object.keys(message).filter(isUnknown);
  if (names.length === 0) return message;
  const refusal = names.includes('refusal') && isBlank(message['content']) ? message['refusal'] : null;
  for (const name of names) {
    if (!isBlank(message[name]) && !(name === 'refusal' && refusal !== null)) tell(name);
  }
  const left = without(message, isUnknown);
  return isBlank(refusal) ? left : { ...left, content: refusal };
}

/** The same message when all of its ids fit. */
function withCallIds(message: JsonRecord, length: number): JsonRecord {
  const withId = (value: JsonRecord, name: string): JsonRecord => {
    const { [name]: id } = value;
    const renamed = typeof id === 'string' ? callIdOf(id, length) : id;
    return renamed === id ? value : { ...value, [name]: renamed };
  };
  const changed = withId(message, 'tool_call_id');
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return changed;
  const renamed = calls.map((call: unknown) => (isRecord(call) ? withId(call, 'id') : call));
  return renamed.every((call, index) => call === calls[index])
    ? changed
    : { ...changed, tool_calls: renamed };
}

/** The same for the same id, so that a result still names its call. */
function callIdOf(id: string, length: number): string {
  if (id.length === length && /^[A-Za-z0-9]*$/.test(id)) return id;
  return createHash('sha256')
    .update(id)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, length);
}

/** A turn that says nothing. A tool's result may be empty: its call needs one. */
const isEmptyTurn = (message: unknown): boolean =>
  isRecord(message) &&
  USUAL_ROLES.has(message['role']) &&
  !Array.isArray(message['tool_calls']) &&
  isBlank(message['content']);

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const without = (message: JsonRecord, isLeftOut: (name: string) => boolean): JsonRecord =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !isLeftOut(name)));
