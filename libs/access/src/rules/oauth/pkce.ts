import { createHash, timingSafeEqual } from 'node:crypto';

const CHALLENGE_FORM = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER_FORM = /^[A-Za-z0-9\-._~]{43,128}$/;

/** True where a text can be the base64url of a SHA-256 (RFC 7636 section 4.2). */
export const isCodeChallenge = (text: string): boolean => CHALLENGE_FORM.test(text);

/** True where a text has the form of a verifier (RFC 7636 section 4.1). */
export const isCodeVerifier = (text: string): boolean => VERIFIER_FORM.test(text);

/** True where the challenge is the `S256` of this verifier, the only supported method (RFC 7636 section 4.6). */
export function verifyPkce(verifier: string, challenge: string): boolean {
  if (!isCodeVerifier(verifier) || !isCodeChallenge(challenge)) return false;
  const made = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}
