import { GatewayError } from '@svc/kernel';
import { type CallHeaders } from '../call/inference-call';

const SESSION_HEADER = 'Svc-Session-Id';
const OWN_HEADER = SESSION_HEADER.toLowerCase();
/**
 * Headers that coding agents send unasked: Claude Code (code.claude.com, "LLM gateway"), Codex and opencode, each in the spellings of
 * its versions.
 */
const AGENT_HEADERS = [
  'x-claude-code-session-id',
  'session_id',
  'session-id',
  'thread-id',
  'conversation_id',
  'x-session-id',
  'x-session-affinity',
] as const;
const SESSION_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * The session of a call (docs/reference/limits-and-budgets.md#sessions): what `Svc-Session-Id` names, else the first
 * header of an agent that is well-formed. Null without one.
 * @throws GatewayError `invalidRequest` for a `Svc-Session-Id` of anything but 1 to 128 visible ASCII characters. An empty one is
 * as none.
 */
export function sessionIdIn(headers: CallHeaders): string | null {
  const own = headers[OWN_HEADER] ?? '';
  if (own !== '') {
    if (isSessionId(own)) return own;
    throw new GatewayError('invalidRequest', `${SESSION_HEADER} must be 1 to 128 visible ASCII characters.`, {
      param: SESSION_HEADER,
    });
  }
  for (const name of AGENT_HEADERS) {
    const value = headers[name];
    if (isSessionId(value)) return value;
  }
  return null;
}

const isSessionId = (value: CallHeaders[string]): value is string =>
  typeof value === 'string' && SESSION_ID.test(value);
