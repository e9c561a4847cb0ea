import { isRecord, type JsonRecord } from '../json/byte-text';
import { recordsIn, textIn } from '../json/untyped';
import { claudeCodeUserIn } from './end-user';
import { type Operation } from './operation';

/** In UTF-16 code units: of the system text, and of the first user message. */
const TEXT_LENGTH_MAX = 32 * 1024;

/**
 * The part of a body that the turns of one conversation have in common (docs/credential-pools.md#affinity): the
 * `prompt_cache_key`, else the session in Claude Code's `metadata.user_id`, else the beginning of the prompt. Null where the body has
 * none of them, and for embeddings.
 */
export function conversationIn(operation: Operation, body: JsonRecord): string | null {
  if (operation === 'embeddings') return null;
  const cacheKey = textIn(body['prompt_cache_key']);
  if (cacheKey !== '') return `cache\0${cacheKey}`;
  const session = claudeCodeUserIn(body)?.session ?? null;
  if (session !== null) return `session\0${session}`;
  const { system, user } = openings[operation](body);
  return system === '' && user === '' ? null : `text\0${system}\0${user}`;
}

/** The system text, and the text of the first user message. Both stay the same from turn to turn. */
interface Opening {
  readonly system: string;
  readonly user: string;
}

const openings: Readonly<Record<Exclude<Operation, 'embeddings'>, (body: JsonRecord) => Opening>> = {
  chat_completions: ({ messages }) => openingOf('', recordsIn(messages)),
  messages: ({ system, messages }) => openingOf(textOf(system), recordsIn(messages)),
  responses: ({ instructions, input }) =>
    typeof input === 'string'
      ? { system: textOf(instructions), user: cut(input) }
      : openingOf(textOf(instructions), recordsIn(input)),
};

const SYSTEM_ROLES: readonly unknown[] = ['system', 'developer'];

/** System messages after the first user message belong to a later turn. */
function openingOf(instructions: string, messages: readonly JsonRecord[]): Opening {
  let system = instructions;
  for (const { role, content } of messages) {
    if (role === 'user') return { system, user: textOf(content) };
    if (SYSTEM_ROLES.includes(role)) system = cut(system + textOf(content));
  }
  return { system, user: '' };
}

/** Of a text, or of the texts among a list of parts. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return cut(textIn(content));
  let text = '';
  for (const part of content as readonly unknown[]) {
    if (text.length >= TEXT_LENGTH_MAX) break;
    if (isRecord(part)) text += textIn(part['text']);
  }
  return cut(text);
}

const cut = (text: string): string =>
  text.length <= TEXT_LENGTH_MAX ? text : text.slice(0, TEXT_LENGTH_MAX);
