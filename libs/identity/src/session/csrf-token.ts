import { createHmac, timingSafeEqual } from 'node:crypto';

const LABEL = 'svc csrf token';

/**
 * What a form or script must send beside the session's cookie. Derived, so that nothing is stored and it ends with the
 * session; it tells nothing of the session's secret (contract.md section 4).
 */
export const csrfTokenFor = (sessionSecret: string): string =>
  createHmac('sha256', sessionSecret).update(LABEL).digest('base64url');

/** Constant time for every text of the right length. */
export function isCsrfTokenOf(sessionSecret: string, text: string): boolean {
  const expected = Buffer.from(csrfTokenFor(sessionSecret));
  const given = Buffer.from(text);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
