import { createHash } from 'node:crypto';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { type ChatForm } from '../translation/chat-form';
import { type Operation } from './operation';

/**
 * The longest name of a tool that providers of each protocol take: `^[a-zA-Z0-9_-]{1,64}$` of OpenAI, 128 of Anthropic (the
 * `name` of a function and of a tool in their API references).
 */
const LENGTH_MAX: Readonly<Record<Operation, number>> = {
  chat_completions: 64,
  messages: 128,
  responses: 64,
  embeddings: Infinity,
};

/** Which names of tools a provider takes. */
export interface ToolNameForm {
  readonly lengthMax: number;
  /** True where they must begin with a letter or an underscore, and have at least 3 characters. */
  readonly isStrict: boolean;
}

export const toolNameForm = (operation: Operation, chatForm?: ChatForm): ToolNameForm => ({
  lengthMax: LENGTH_MAX[operation],
  isStrict: operation === 'chat_completions' && chatForm?.strictToolNames === true,
});

const STRICT_NAME = /^[A-Za-z_].{2}/s;
const fits = (name: string, { lengthMax, isStrict }: ToolNameForm): boolean =>
  name.length <= lengthMax && (!isStrict || STRICT_NAME.test(name));

const NARROWEST: ToolNameForm = { lengthMax: 64, isStrict: true };

/** True where a name is taken by every provider, as far as its length and its first character go. */
export const isUsualToolName = (name: string): boolean => fits(name, NARROWEST);

const NONE: readonly string[] = [];
const HASH_LENGTH = 16;

/** The names of a call's tools, where some provider does not take one. Else none. */
export function unusualToolNames(body: JsonRecord): readonly string[] {
  const names = toolNames(body);
  return names.every(isUsualToolName) ? NONE : names;
}

function toolNames({ tools, functions }: JsonRecord): readonly string[] {
  return [tools, functions]
    .flatMap((list) =>
      (Array.isArray(list) ? list : []).flatMap((tool: unknown) =>
        isRecord(tool) ? ([nameIn(tool) ?? nameIn(tool['function']) ?? nameIn(tool['custom'])] as const) : [],
      ),
    )
    .filter((name) => name !== null);
}

const nameIn = (value: unknown): string | null =>
  isRecord(value) && typeof value['name'] === 'string' ? value['name'] : null;

/**
 * Names for those of the names that a provider does not take, each another one than all the rest. The same names give the same
 * new ones, so that an answer and the later turns of a conversation agree with the call.
 */
export function shortToolNames(names: readonly string[], form: ToolNameForm): ReadonlyMap<string, string> {
  const short = new Map<string, string>();
  const used = new Set(names);
  for (const name of names) {
    if (fits(name, form) || short.has(name)) continue;
    let salt = 0;
    while (used.has(shortened(name, form, salt))) salt++;
    const candidate = shortened(name, form, salt);
    used.add(candidate);
    short.set(name, candidate);
  }
  return short;
}

function shortened(name: string, { lengthMax, isStrict }: ToolNameForm, salt: number): string {
  const hash = createHash('sha256')
    .update(`${String(salt)}:${name}`)
    .digest('hex')
    .slice(0, HASH_LENGTH);
  const start = isStrict && !/^[A-Za-z_]/.test(name) ? `_${name}` : name;
  return `${start.slice(0, lengthMax - HASH_LENGTH - 1)}_${hash}`;
}

/** Gives the name to send in place of a tool's own. */
type Rename = (name: string) => string;

/**
 * The members of a body for a provider in which tools have names that it takes. Empty when all fit.
 * @param names those of the caller's tools
 */
export function withShortNames(form: ToolNameForm, body: JsonRecord, names: readonly string[]): JsonRecord {
  const short = shortToolNames(names, form);
  // A conversation can have calls of tools that are no longer defined.
  const rename: Rename = (name) => short.get(name) ?? (fits(name, form) ? name : shortened(name, form, 0));
  const changed: [string, unknown][] = [];
  for (const [field, renamed] of Object.entries(renamings)) {
    const before = body[field];
    const after = before === undefined ? undefined : renamed(before, rename);
    if (after !== before) changed.push([field, after]);
  }
  return Object.fromEntries(changed);
}

type Renaming = (value: unknown, rename: Rename) => unknown;

/** The same list when nothing in it changes: most calls have no long name, and pay for no copy. */
const each =
  (renaming: Renaming): Renaming =>
  (list, rename) => {
    if (!Array.isArray(list)) return list;
    let changed: unknown[] | null = null;
    for (let at = 0; at < list.length; at++) {
      const after = renaming(list[at], rename);
      if (after !== list[at]) (changed ??= [...(list as unknown[])])[at] = after;
    }
    return changed ?? list;
  };

/** Changes members of an object by their own renamings. The same object when none changes. */
const members = (renamings: Readonly<Record<string, Renaming>>): Renaming => {
  const entries = Object.entries(renamings);
  return (value, rename) => {
    if (!isRecord(value)) return value;
    let changed = value;
    for (const [member, renaming] of entries) {
      const before = changed[member];
      const after = before === undefined ? undefined : renaming(before, rename);
      if (after !== before) changed = { ...changed, [member]: after };
    }
    return changed;
  };
};

const text: Renaming = (name, rename) => (typeof name === 'string' ? rename(name) : name);
const named = members({ name: text });
/** A tool, or a choice or a call of one: its name is in it, or in the member of its type. */
const tool = members({ name: text, function: named, custom: named });
const choice = members({
  ...{ name: text, function: named, custom: named, tools: each(tool) },
  allowed_tools: members({ tools: each(tool) }),
});
const block: Renaming = (part, rename) =>
  isRecord(part) && part['type'] === 'tool_use' ? named(part, rename) : part;
const turn = members({ tool_calls: each(tool), function_call: named, content: each(block) });
const message: Renaming = (value, rename) => {
  const changed = turn(value, rename);
  return isRecord(changed) && changed['role'] === 'function' ? named(changed, rename) : changed;
};
const item: Renaming = (value, rename) =>
  isRecord(value) && ['function_call', 'custom_tool_call'].includes(String(value['type']))
    ? named(value, rename)
    : value;

const renamings: Readonly<Record<string, Renaming>> = {
  tools: each(tool),
  functions: each(tool),
  tool_choice: choice,
  function_call: named,
  messages: each(message),
  input: each(item),
};

/** True where any name in a body is longer than its own protocol takes. */
export const hasLongName = (operation: Operation, body: JsonRecord): boolean =>
  Object.keys(withShortNames(toolNameForm(operation), body, NONE)).length > 0;
