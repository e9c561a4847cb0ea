import { createHash } from 'node:crypto';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { CONTINUED_ANSWER, LATE_SYSTEM, SYSTEM_ALONE } from './conversation';
import { type Losses } from './loss';
import { REASONING_FIELDS } from './reasoning';
import { listIn } from './untyped-json';

/**
 * The form of chat messages that a provider takes, where it is less than what OpenAI takes
 * (docs/reference/models-and-catalog.md#what-a-message-may-have).
 */
export interface ChatForm {
  /** Members of a message that it takes beside `role` and those with reasoning. Absent for any. */
  readonly members?: readonly string[];
  /** True where it knows the role `developer`. */
  readonly developerRole: boolean;
  /** The exact number of letters and digits in an id of a tool call. Absent for any id. */
  readonly callIdLength?: number;
  /** The member with reasoning that it requires of a message with tool calls. Absent for none. */
  readonly reasoningOfCalls?: string;
  /** True where names of functions must begin with a letter or an underscore, and have at least 3 characters. */
  readonly strictToolNames: boolean;
  /** True where a message may have an empty text. */
  readonly emptyText: boolean;
  /** True where it answers a conversation of system messages alone. */
  readonly systemAlone: boolean;
  /** True where it takes no system message after an answer or a tool's result, and an answer at the end only as a prefix. */
  readonly strictOrder: boolean;
}

const USUAL_ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);
const SYSTEM_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer']);
/** An empty result of a tool says something: its call needs one. */
const RESULT_ROLES: ReadonlySet<unknown> = new Set(['tool', 'function']);

/** True where the messages of a chat call have more than a usual role and a text, or less: something that a {@link ChatForm} can refuse. */
export function exceedsChatForm({ messages }: JsonRecord): boolean {
  let isSystemAlone = true;
  let before: unknown;
  for (const message of listIn(messages)) {
    if (!isRecord(message) || !USUAL_ROLES.has(message['role']) || isBlank(message['content'])) return true;
    for (const name in message) if (name !== 'role' && name !== 'content') return true;
    const { role } = message;
    if (role !== 'system') isSystemAlone = false;
    else if (before === 'assistant') return true;
    before = role;
  }
  return isSystemAlone || before === 'assistant';
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
  const answerable = chatForm.systemAlone ? spoken : withTurn(spoken, losses);
  const left = chatForm.strictOrder ? inOrder(answerable, losses) : answerable;
  const isSame =
    left.length === messages.length && left.every((message, index) => message === messages[index]);
  return isSame ? {} : { messages: left };
}

/** System messages alone end in the message of a user. */
function withTurn(messages: readonly unknown[], losses: Losses): readonly unknown[] {
  const last = messages.at(-1);
  if (!isRecord(last) || !messages.every(isOfSystem)) return messages;
  losses.change('messages', SYSTEM_ALONE);
  return [...messages.slice(0, -1), { ...last, role: 'user' }];
}

/** No system message after an answer, and an answer at the end as the prefix that it is taken for. */
function inOrder(messages: readonly unknown[], losses: Losses): readonly unknown[] {
  let previous: unknown;
  const ordered = messages.map((message) => {
    const isLate = isOfSystem(message) && isOfAnswer(previous);
    if (isLate) losses.change('messages', LATE_SYSTEM);
    previous = isLate ? { ...(message as JsonRecord), role: 'user' } : message;
    return previous;
  });
  const last = ordered.at(-1);
  if (!isRecord(last) || last['role'] !== 'assistant' || last['prefix'] === true) return ordered;
  losses.change('messages', CONTINUED_ANSWER);
  return [...ordered.slice(0, -1), { ...last, prefix: true }];
}

const isOfAnswer = (message: unknown): boolean =>
  isRecord(message) && (message['role'] === 'assistant' || message['role'] === 'tool');

const isOfSystem = (message: unknown): boolean => isRecord(message) && SYSTEM_ROLES.has(message['role']);

function changedMessage(message: JsonRecord, form: ChatForm, tell: (name: string) => void): JsonRecord {
  let changed = message;
  if (!form.developerRole && message['role'] === 'developer') changed = { ...changed, role: 'system' };
  const { members, strictOrder } = form;
  if (members !== undefined)
    changed = withKnownMembers(changed, strictOrder ? [...members, 'prefix'] : members, tell);
  if (!form.emptyText) changed = withRefusalAsText(changed);
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
  if (!Object.keys(message).some(isUnknown)) return message;
  const spoken = known.includes('refusal') ? message : withRefusalAsText(message);
  for (const name of Object.keys(spoken)) if (isUnknown(name) && !isBlank(spoken[name])) tell(name);
  return without(spoken, isUnknown);
}

/** A refusal is the text of a message without another one. */
function withRefusalAsText(message: JsonRecord): JsonRecord {
  const { refusal } = message;
  if (isBlank(refusal) || !isBlank(message['content'])) return message;
  return { ...without(message, (name) => name === 'refusal'), content: refusal };
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

/** A message that says nothing, and calls nothing. */
const isEmptyTurn = (message: unknown): boolean =>
  isRecord(message) &&
  !RESULT_ROLES.has(message['role']) &&
  !Array.isArray(message['tool_calls']) &&
  !isRecord(message['function_call']) &&
  isBlank(message['content']);

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isEmptyText));

const isEmptyText = (part: unknown): boolean =>
  isRecord(part) && part['type'] === 'text' && part['text'] === '';

const without = (message: JsonRecord, isLeftOut: (name: string) => boolean): JsonRecord =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !isLeftOut(name)));
