import { GatewayError } from '@svc/kernel';
import { type CallHeaders } from '../call/inference-call';

const END_USER_HEADER = 'Svc-End-User';
const RECEIVED = END_USER_HEADER.toLowerCase();
const END_USER = /^[\x21-\x7e]{1,256}$/;

/**
 * Whom the caller's own server says that the call is for (docs/end-users.md#whom-a-call-is-for); null without
 * the header, or with an empty one.
 * @throws GatewayError `invalidRequest` for anything but 1 to 256 visible characters.
 */
export function endUserHeaderIn(headers: CallHeaders): string | null {
  const value = headers[RECEIVED];
  if (value === undefined || value === '') return null;
  if (typeof value === 'string' && END_USER.test(value)) return value;
  throw new GatewayError('invalidRequest', `${END_USER_HEADER} must be 1 to 256 visible ASCII characters.`, {
    param: END_USER_HEADER,
  });
}

export const endUserRequired = (): GatewayError =>
  new GatewayError(
    'invalidRequest',
    `The policy requires every call to name its end user: send the header ${END_USER_HEADER}, or \`user\` in the body.`,
    { param: END_USER_HEADER },
  );
