import { createHmac, timingSafeEqual } from 'node:crypto';

const LABEL = 'svc csrf token';

/**
 * The value that a form or script must send beside the session's cookie. It is derived from the session, so it is not
 * stored and ends with it. It reveals nothing of the session's secret
 * (docs/reference/sessions-and-members.md#the-session).
 */
export const csrfTokenFor = (sessionSecret: string): string =>
  createHmac('sha256', sessionSecret).update(LABEL).digest('base64url');

/** Compares in constant time for every text of the right length. */
export function isCsrfTokenOf(sessionSecret: string, text: string): boolean {
  const expected = Buffer.from(csrfTokenFor(sessionSecret));
  const given = Buffer.from(text);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
