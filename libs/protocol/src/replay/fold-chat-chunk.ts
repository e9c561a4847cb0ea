import { isDeepStrictEqual } from 'node:util';
import { finishReasonIn } from '../answer/finish-reason';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { type FrameFolding } from './frame-folding';

type Mutable = Record<string, unknown>;

/** Members of a delta that clients append: texts and lists. */
const APPENDED = ['content', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details', 'tool_calls'];

/** Folds chunks that continue the same member of one choice. A chunk with anything else stays a separate frame. */
export const chatChunks: FrameFolding = {
  slotOf: ({ event, chunk }) => {
    const choice = onlyChoice(chunk);
    if (event !== '' || choice === null || finishReasonIn(choice) !== null) return null;
    return typeof choice['index'] === 'number' && isRecord(choice['delta']) ? choice['index'] : null;
  },
  fold: (into, next) => {
    const choice = onlyChoice(into) as Mutable;
    const nextChoice = onlyChoice(next) as Mutable;
    if (!isDeepStrictEqual(headOf(into), headOf(next))) return false;
    if (!isDeepStrictEqual(restOf(choice), restOf(nextChoice))) return false;
    const delta = choice['delta'] as Mutable;
    const nextDelta = nextChoice['delta'] as JsonRecord;
    if (!canAppend(delta, nextDelta) || !canJoinLogprobs(choice, nextChoice)) return false;
    for (const name of newMembers(delta, nextDelta)) delta[name] = appended(delta[name], nextDelta[name]);
    // An empty text adds nothing, but the member must be present.
    for (const [name, value] of Object.entries(nextDelta))
      if ((delta[name] ?? null) === null) delta[name] = value;
    const logprobs = nextChoice['logprobs'];
    if (isRecord(logprobs)) choice['logprobs'] = joinedLogprobs(choice['logprobs'] as JsonRecord, logprobs);
    return true;
  },
};

function onlyChoice(chunk: JsonRecord): JsonRecord | null {
  const choices = chunk['choices'];
  const only: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : null;
  return isRecord(only) ? only : null;
}

/** The other members of a chunk, without its time and the padding that hides its length. */
const headOf = ({ choices: _, created: _time, obfuscation: _noise, ...head }: JsonRecord): JsonRecord => head;
const restOf = ({ delta: _, logprobs: _logprobs, ...rest }: JsonRecord): JsonRecord => rest;

/** The members with content: null, the empty string and the empty list add nothing. */
const membersWithContent = (delta: JsonRecord): string[] =>
  Object.keys(delta).filter((name) => {
    const value = delta[name];
    return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  });

/** Several providers repeat the role in every chunk. */
const newMembers = (delta: JsonRecord, next: JsonRecord): string[] =>
  membersWithContent(next).filter((name) => name !== 'role' || delta[name] !== next[name]);

/** Only deltas with the same members are joined: a change of members begins a new frame, so that their order stays. */
function canAppend(delta: JsonRecord, next: JsonRecord): boolean {
  const added = newMembers(delta, next);
  const present = membersWithContent(delta).filter((name) => name !== 'role');
  if (!added.every((name) => APPENDED.includes(name) && isAppendable(delta[name], next[name]))) return false;
  if (added.length === 0 || present.length === 0) return present.every((name) => APPENDED.includes(name));
  return isDeepStrictEqual(new Set(present), new Set(added));
}

function isAppendable(before: unknown, next: unknown): boolean {
  if (typeof next === 'string') return before === undefined || before === null || typeof before === 'string';
  if (!Array.isArray(next) || !(before === undefined || before === null || Array.isArray(before)))
    return false;
  const entries: unknown[] = [...((before as unknown[] | null | undefined) ?? []), ...(next as unknown[])];
  if (!entries.every(isRecord)) return false;
  const existing = entries.length - next.length;
  return entries.every(
    (entry, at) => at < existing || !isToolCall(entry) || canContinue(entries.slice(0, at), entry),
  );
}

function appended(before: unknown, next: unknown): unknown {
  if (typeof next === 'string') return `${typeof before === 'string' ? before : ''}${next}`;
  const entries = [...((before as JsonRecord[] | null | undefined) ?? [])];
  for (const entry of next as JsonRecord[]) {
    const existing = isToolCall(entry) ? toolCallAt(entries, entry['index']) : undefined;
    if (existing === undefined) entries.push(entry);
    else {
      const call = existing['function'] as Mutable;
      call['arguments'] = `${argumentsOf(existing)}${argumentsOf(entry)}`;
    }
  }
  return entries;
}

const isToolCall = (entry: JsonRecord): boolean => isRecord(entry['function']);
const toolCallAt = (entries: readonly JsonRecord[], index: unknown): JsonRecord | undefined =>
  entries.findLast((entry) => isToolCall(entry) && entry['index'] === index);
const argumentsOf = (entry: JsonRecord): string => {
  const value = (entry['function'] as JsonRecord)['arguments'];
  return typeof value === 'string' ? value : '';
};

/** Clients differ in how they treat a repeated id or name, so such an entry stays in a separate frame. */
function canContinue(entries: readonly JsonRecord[], entry: JsonRecord): boolean {
  const existing = toolCallAt(entries, entry['index']);
  if (typeof entry['index'] !== 'number') return false;
  if (existing === undefined) return true;
  const { index: _, type, function: call, ...rest } = entry;
  const { arguments: text, ...named } = call as JsonRecord;
  // Some servers send a JSON value, which cannot be appended.
  if (!isText(text) || !isText((existing['function'] as JsonRecord)['arguments'])) return false;
  return (
    (type ?? existing['type']) === existing['type'] &&
    membersWithContent(rest).length === 0 &&
    membersWithContent(named).length === 0
  );
}

const isText = (value: unknown): boolean => typeof (value ?? '') === 'string';

function canJoinLogprobs(choice: JsonRecord, next: JsonRecord): boolean {
  const [before, after] = [choice['logprobs'] ?? null, next['logprobs'] ?? null];
  if (after === null) return true;
  if (!isRecord(before) || !isRecord(after)) return false;
  return [...Object.values(before), ...Object.values(after)].every(
    (list) => list === null || Array.isArray(list),
  );
}

function joinedLogprobs(before: JsonRecord, next: JsonRecord): JsonRecord {
  const joined: Mutable = { ...before };
  for (const [name, list] of Object.entries(next)) {
    if (list !== null)
      joined[name] = [...((before[name] as unknown[] | null | undefined) ?? []), ...(list as unknown[])];
  }
  return joined;
}
