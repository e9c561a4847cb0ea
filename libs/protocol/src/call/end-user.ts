import { isRecord, type JsonRecord, parseRecord } from '../json/byte-text';

/**
 * Whom a body says that its call is for: the first of `safety_identifier`, `user` and `metadata.user_id` that is not
 * empty, whole and however long (docs/end-users.md#whom-a-call-is-for). Null for nobody in particular.
 */
export function endUserIn(body: JsonRecord): string | null {
  const { metadata } = body;
  return (
    nameIn(body['safety_identifier']) ??
    nameIn(body['user']) ??
    (isRecord(metadata) ? personIn(nameIn(metadata['user_id'])) : null)
  );
}

/** A number names somebody too: else it would be a way past a budget. */
function nameIn(value: unknown): string | null {
  const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return isScalar && value !== '' ? String(value) : null;
}

/** The user that Claude Code writes into `metadata.user_id`. Null for what is missing or empty. */
interface ClaudeCodeUser {
  readonly device: string | null;
  readonly account: string | null;
  readonly session: string | null;
}

/** The form of Claude Code before 2.1.78. An account may be missing. */
const BEFORE_JSON = /^user_(.*)_account_(.*)_session_(.*)$/s;

/** Reads `metadata.user_id` in both of Claude Code's forms; null for any other text. */
export function claudeCodeUserIn({ metadata }: JsonRecord): ClaudeCodeUser | null {
  const text = isRecord(metadata) ? nameIn(metadata['user_id']) : null;
  return text === null ? null : claudeCodeUser(text);
}

function claudeCodeUser(text: string): ClaudeCodeUser | null {
  const before = BEFORE_JSON.exec(text);
  if (before !== null)
    return { device: nameIn(before[1]), account: nameIn(before[2]), session: nameIn(before[3]) };
  const record = text.startsWith('{') ? parseRecord(text) : null;
  if (record === null || !NAMED.some((name) => Object.hasOwn(record, name))) return null;
  return {
    device: nameIn(record['device_id']),
    account: nameIn(record['account_uuid']),
    session: nameIn(record['session_id']),
  };
}

const NAMED = ['account_uuid', 'device_id', 'session_id'];

/**
 * The account in Claude Code's `metadata.user_id`, else the device, the same in its two forms. Never the session: a new
 * one would have a new budget. Any other text is the name itself.
 */
function personIn(text: string | null): string | null {
  const user = text === null ? null : claudeCodeUser(text);
  return user === null ? text : (user.account ?? user.device);
}
