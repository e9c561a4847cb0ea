import { type SnippetOperation } from '../../calls/languages';
import { type Json, type JsonObject } from '../../calls/literals';

/** How a parameter is typed: a number, a whole number, a word, or texts of which each line is one. */
type Kind = 'number' | 'whole' | 'word' | 'lines';

/** The parameters that have a field of their own, in its order. Others are typed as JSON. */
const parameterKinds = {
  chat_completions: {
    max_completion_tokens: 'whole',
    temperature: 'number',
    top_p: 'number',
    frequency_penalty: 'number',
    presence_penalty: 'number',
    seed: 'whole',
    reasoning_effort: 'word',
    stop: 'lines',
  },
  messages: {
    max_tokens: 'whole',
    temperature: 'number',
    top_p: 'number',
    top_k: 'whole',
    stop_sequences: 'lines',
  },
} as const satisfies Readonly<Record<SnippetOperation, Readonly<Record<string, Kind>>>>;

type KindsOf<O extends SnippetOperation> = keyof (typeof parameterKinds)[O];
export type ParameterName = KindsOf<'chat_completions'> | KindsOf<'messages'>;

/** As they are typed, by name. What is empty is left out of the call. */
export type TypedParameters = Readonly<Partial<Record<ParameterName, string>>>;

export const fieldsOf = (operation: SnippetOperation): readonly (readonly [ParameterName, Kind])[] =>
  Object.entries(parameterKinds[operation]) as [ParameterName, Kind][];

const NUMBER = /^-?\d+(\.\d+)?$/;
const WHOLE = /^-?\d+$/;

/** @returns undefined where nothing is typed; null for what is no such value. */
export function parameterOf(kind: Kind, typed: string): Json | undefined {
  const words = typed.trim();
  if (words === '') return undefined;
  if (kind === 'word') return words;
  if (kind === 'lines') return typed.split('\n').filter((line) => line !== '');
  return (kind === 'whole' ? WHOLE : NUMBER).test(words) ? Number(words) : null;
}

/** Parameters of a call that are set elsewhere on the page. */
const DECIDED = ['model', 'messages', 'system', 'stream', 'compat_mode'];

/** @returns null for what is no object, or names what the page decides elsewhere. */
export function othersOf(typed: string): JsonObject | null {
  if (typed.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(typed);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
    return DECIDED.some((name) => Object.hasOwn(parsed, name)) ? null : (parsed as JsonObject);
  } catch {
    return null;
  }
}

/** All parameters of a call; null while one of them is not right. */
export function parametersOf(
  operation: SnippetOperation,
  typed: TypedParameters,
  others: string,
): JsonObject | null {
  const further = othersOf(others);
  const own = fieldsOf(operation).map(
    ([name, kind]) => [name, parameterOf(kind, typed[name] ?? '')] as const,
  );
  if (further === null || own.some(([, value]) => value === null)) return null;
  return { ...Object.fromEntries(own.filter(([, value]) => value !== undefined)), ...further };
}
