import { hash, timingSafeEqual } from 'node:crypto';

/** Bytes of randomness in a secret: full entropy, so that a plain SHA-256 of it may be stored. */
export const SECRET_ENTROPY_BYTES = 32;

/**
 * The prefix of each kind of secret (docs/reference/authentication-and-permissions.md#secrets). A client id is public,
 * but has the same form.
 */
const marks = {
  apiKey: 'svc_sk_',
  clientId: 'svc_client_',
  clientSecret: 'svc_cs_',
  refreshToken: 'svc_rt_',
  authorizationCode: 'svc_ac_',
  session: 'svc_ss_',
  invitation: 'svc_inv_',
  passwordReset: 'svc_pr_',
  platform: 'svc_pt_',
  metrics: 'svc_mt_',
} as const;

export type SecretKind = keyof typeof marks;

const ENTROPY_FORM = /^[A-Za-z0-9_-]{43}$/;

/**
 * The prefix and the entropy in base64url.
 * @throws RangeError when the entropy is not {@link SECRET_ENTROPY_BYTES} long.
 */
export function formatSecret(kind: SecretKind, entropy: Uint8Array): string {
  if (entropy.length !== SECRET_ENTROPY_BYTES) {
    throw new RangeError(`a secret takes ${String(SECRET_ENTROPY_BYTES)} bytes of entropy`);
  }
  return marks[kind] + Buffer.from(entropy).toString('base64url');
}

/** True where a text has the form of {@link formatSecret} for this kind. */
export const isSecret = (kind: SecretKind, text: string): boolean =>
  text.startsWith(marks[kind]) && ENTROPY_FORM.test(text.slice(marks[kind].length));

/** SHA-256. Only this hash of a secret is stored, and it is looked up by it. */
export const secretHash = (text: string): Buffer => hash('sha256', text, 'buffer');

/** The same in base64, without an intermediate buffer. In-memory caches use it as key. */
export const secretHashText = (text: string): string => hash('sha256', text, 'base64');

/** True where the secret has this hash, compared in constant time. */
export const isSecretOfHash = (text: string, sha256: Uint8Array): boolean =>
  timingSafeEqual(secretHash(text), sha256);
