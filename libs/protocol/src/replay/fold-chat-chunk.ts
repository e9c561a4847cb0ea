import { isDeepStrictEqual } from 'node:util';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { type FrameFolding } from './frame-folding';

type Mutable = Record<string, unknown>;

/** Members of a delta that readers append to what they have: texts, and lists. */
const APPENDED = ['content', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details', 'tool_calls'];

/** Folds chunks of one choice that say more of the same. Whatever else a chunk says keeps it a frame of its own. */
export const chatChunks: FrameFolding = {
  slotOf: ({ event, chunk }) => {
    const choice = onlyChoice(chunk);
    if (event !== '' || choice === null || (choice['finish_reason'] ?? null) !== null) return null;
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
    for (const name of newlySaid(delta, nextDelta)) delta[name] = appended(delta[name], nextDelta[name]);
    // An empty text is no text yet, but tells that there is one.
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

/** What a chunk says beside its choice, but for its own time and the noise that hides its length. */
const headOf = ({ choices: _, created: _time, obfuscation: _noise, ...head }: JsonRecord): JsonRecord => head;
const restOf = ({ delta: _, logprobs: _logprobs, ...rest }: JsonRecord): JsonRecord => rest;

/** The members that say something: null and the empty string add nothing to what a reader has. */
const saidIn = (delta: JsonRecord): string[] =>
  Object.keys(delta).filter((name) => {
    const value = delta[name];
    return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  });

/** Several providers repeat the role in every chunk. */
const newlySaid = (delta: JsonRecord, next: JsonRecord): string[] =>
  saidIn(next).filter((name) => name !== 'role' || delta[name] !== next[name]);

/** Text after text, tool calls after tool calls: a change of what is said begins a frame, so that its order stays. */
function canAppend(delta: JsonRecord, next: JsonRecord): boolean {
  const said = newlySaid(delta, next);
  const saidBefore = saidIn(delta).filter((name) => name !== 'role');
  if (!said.every((name) => APPENDED.includes(name) && isAppendable(delta[name], next[name]))) return false;
  if (said.length === 0 || saidBefore.length === 0)
    return saidBefore.every((name) => APPENDED.includes(name));
  return isDeepStrictEqual(new Set(saidBefore), new Set(said));
}

function isAppendable(before: unknown, next: unknown): boolean {
  if (typeof next === 'string') return before === undefined || before === null || typeof before === 'string';
  if (!Array.isArray(next) || !(before === undefined || before === null || Array.isArray(before)))
    return false;
  const entries: unknown[] = [...((before as unknown[] | null | undefined) ?? []), ...(next as unknown[])];
  if (!entries.every(isRecord)) return false;
  const begun = entries.length - next.length;
  return entries.every(
    (entry, at) => at < begun || !isToolCall(entry) || canContinue(entries.slice(0, at), entry),
  );
}

function appended(before: unknown, next: unknown): unknown {
  if (typeof next === 'string') return `${typeof before === 'string' ? before : ''}${next}`;
  const entries = [...((before as JsonRecord[] | null | undefined) ?? [])];
  for (const entry of next as JsonRecord[]) {
    const begun = isToolCall(entry) ? toolCallAt(entries, entry['index']) : undefined;
    if (begun === undefined) entries.push(entry);
    else {
      const call = begun['function'] as Mutable;
      call['arguments'] = `${argumentsOf(begun)}${argumentsOf(entry)}`;
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

/** Readers differ in what they make of an id or a name given twice: such an entry stays in a frame of its own. */
function canContinue(entries: readonly JsonRecord[], entry: JsonRecord): boolean {
  const begun = toolCallAt(entries, entry['index']);
  if (typeof entry['index'] !== 'number') return false;
  if (begun === undefined) return true;
  const { index: _, type, function: call, ...rest } = entry;
  const { arguments: _text, ...named } = call as JsonRecord;
  return (type ?? begun['type']) === begun['type'] && saidIn(rest).length === 0 && saidIn(named).length === 0;
}

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
