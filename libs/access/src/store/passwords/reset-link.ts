import { randomBytes } from 'node:crypto';
import { lifetimesMs } from '../../rules/lifetimes';
import { formatSecret, SECRET_ENTROPY_BYTES, secretHash } from '../../rules/secrets/secret';

interface ResetLink {
  /** `{base_url}/auth/password-reset/{secret}`. */
  readonly url: string;
  readonly secretSha256: Buffer;
  readonly expiresAt: Date;
}

/**
 * The link of a new password reset, of which only a hash is stored (docs/reference/sessions-and-members.md#passwords).
 */
export function newResetLink(baseUrl: string, nowMs: number): ResetLink {
  const secret = formatSecret('passwordReset', randomBytes(SECRET_ENTROPY_BYTES));
  return {
    url: `${baseUrl}/auth/password-reset/${secret}`,
    secretSha256: secretHash(secret),
    expiresAt: new Date(nowMs + lifetimesMs.passwordReset),
  };
}
