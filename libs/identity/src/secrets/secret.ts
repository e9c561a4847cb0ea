import { hash, timingSafeEqual } from 'node:crypto';

/** Bytes of randomness in a secret: full entropy, so that a plain SHA-256 of it may be stored. */
export const SECRET_ENTROPY_BYTES = 32;

/** What a secret is, by the mark that it begins with (contract.md section 2). A client id is public, but of the same form. */
const marks = {
  apiKey: 'svc_sk_',
  clientId: 'svc_client_',
  clientSecret: 'svc_cs_',
  refreshToken: 'svc_rt_',
  authorizationCode: 'svc_ac_',
  session: 'svc_ss_',
  invitation: 'svc_inv_',
  platform: 'svc_pt_',
} as const;

export type SecretKind = keyof typeof marks;

const ENTROPY_FORM = /^[A-Za-z0-9_-]{43}$/;

/**
 * The mark and the entropy in base64url.
 * @throws RangeError when the entropy is not {@link SECRET_ENTROPY_BYTES} long.
 */
export function formatSecret(kind: SecretKind, entropy: Uint8Array): string {
  if (entropy.length !== SECRET_ENTROPY_BYTES) {
    throw new RangeError(`a secret takes ${String(SECRET_ENTROPY_BYTES)} bytes of entropy`);
  }
  return marks[kind] + Buffer.from(entropy).toString('base64url');
}

/** Whether a text has the form that {@link formatSecret} gives secrets of this kind. */
export const isSecret = (kind: SecretKind, text: string): boolean =>
  text.startsWith(marks[kind]) && ENTROPY_FORM.test(text.slice(marks[kind].length));

/** SHA-256: what is stored of a secret, and what it is looked up by. */
export const secretHash = (text: string): Buffer => hash('sha256', text, 'buffer');

/** The same in base64, made without the bytes: what a secret is known by in memory. */
export const secretHashText = (text: string): string => hash('sha256', text, 'base64');

/** Whether the secret is the one that this was stored of, in constant time. */
export const isSecretOfHash = (text: string, sha256: Uint8Array): boolean =>
  timingSafeEqual(secretHash(text), sha256);
