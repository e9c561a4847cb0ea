import { listOf, type Body } from './vendor-rules';

/** The vendor's words for what is wrong with a body of chat completions. Null for one that keeps the rule. */
export type ChatRule = (body: Body) => string | null;

/** The first of the items that is wrong. */
function firstProblem<T>(
  items: readonly T[],
  problemOf: (item: T, at: number) => string | null,
): string | null {
  for (const [at, item] of items.entries()) {
    const problem = problemOf(item, at);
    if (problem !== null) return problem;
  }
  return null;
}

const setFields = (body: Body): readonly string[] => Object.keys(body).filter((name) => body[name] != null);

export const onlyFields =
  (known: ReadonlySet<string>, words: (name: string) => string): ChatRule =>
  (body) =>
    firstProblem(setFields(body), (name) => (known.has(name) ? null : words(name)));

export const noFields =
  (refused: readonly string[], words: (name: string) => string): ChatRule =>
  (body) =>
    firstProblem(setFields(body), (name) => (refused.includes(name) ? words(name) : null));

export const onlyValues =
  (field: string, taken: readonly unknown[], words: (value: unknown) => string): ChatRule =>
  ({ [field]: value }) =>
    value == null || taken.includes(value) ? null : words(value);

export const atMost =
  (field: string, most: number, words = `${field} must be at most ${String(most)}`): ChatRule =>
  ({ [field]: value }) => {
    const amount = Array.isArray(value) ? value.length : value;
    return typeof amount === 'number' && amount > most ? words : null;
  };

export const eachMessage =
  (problemOf: (message: Body, at: number) => string | null): ChatRule =>
  ({ messages }) =>
    firstProblem(listOf(messages), problemOf);

/** @param problemOf is given the definition of a function, and its index among the tools */
export const eachFunction =
  (problemOf: (definition: Body, at: number) => string | null): ChatRule =>
  ({ tools }) =>
    firstProblem(listOf(tools), ({ function: definition }, at) =>
      definition == null ? null : problemOf(definition as Body, at),
    );

export const onlyRoles = (roles: readonly string[], words: (role: string, at: number) => string): ChatRule =>
  eachMessage(({ role }, at) => (roles.includes(String(role)) ? null : words(String(role), at)));

/** Members that a message may have beside its role, by the role. */
type MessageMembers = Readonly<Record<string, readonly string[]>>;

export const onlyMembers = (
  members: MessageMembers,
  words: (at: number, role: string, name: string) => string,
): ChatRule =>
  eachMessage((message, at) => {
    const role = String(message.role);
    return firstProblem(Object.keys(message), (name) =>
      name === 'role' || members[role]?.includes(name) !== false ? null : words(at, role, name),
    );
  });

export const toolNames = (pattern: RegExp, words: (name: string, at: number) => string): ChatRule =>
  eachFunction(({ name }, at) => (pattern.test(String(name)) ? null : words(String(name), at)));

export const withParameters = (words: (at: number) => string): ChatRule =>
  eachFunction(({ parameters }, at) => (parameters == null ? words(at) : null));

/** A turn with tool calls must come back with the reasoning that led to them. */
export const reasoningOfCalls = (words: (at: number) => string): ChatRule =>
  eachMessage((message, at) =>
    listOf(message.tool_calls).length > 0 && !message.reasoning_content ? words(at) : null,
  );
