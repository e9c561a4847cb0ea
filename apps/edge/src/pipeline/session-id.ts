import { GatewayError } from '@svc/kernel';
import { type CallHeaders } from '../call/inference-call';

const SESSION_HEADER = 'Svc-Session-Id';
const RECEIVED = SESSION_HEADER.toLowerCase();
const SESSION_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * The caller's session id, for budgets per session (docs/reference/limits-and-budgets.md#sessions); null without the
 * header.
 * @throws GatewayError `invalidRequest` for anything but 1 to 128 visible characters.
 */
export function sessionIdIn(headers: CallHeaders): string | null {
  const value = headers[RECEIVED];
  if (value === undefined) return null;
  if (typeof value === 'string' && SESSION_ID.test(value)) return value;
  throw new GatewayError('invalidRequest', `${SESSION_HEADER} must be 1 to 128 visible ASCII characters.`, {
    param: SESSION_HEADER,
  });
}
