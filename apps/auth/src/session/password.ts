import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { isCommonPassword } from '@svc/access';

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 512;

/** argon2id with the library's parameters (19 MiB, 2 passes), as OWASP recommends; a PHC string. */
export const hashPassword = (password: string): Promise<string> => hash(password);

const nobodysHash = hashPassword(randomBytes(16).toString('base64url'));

/** Takes as long without a hash as with one, so that timing does not reveal which accounts exist. */
export async function isPasswordOf(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await nobodysHash), password);
  return matches && passwordHash !== null;
}

/**
 * There are no composition rules (NIST SP 800-63B): the length counts, and that few people choose it.
 * @returns null for an acceptable password.
 */
export function passwordProblem(password: string, repeated: string): string | null {
  const length = [...password].length;
  if (length < PASSWORD_MIN) return `Use at least ${String(PASSWORD_MIN)} characters.`;
  if (length > PASSWORD_MAX) return `Use at most ${String(PASSWORD_MAX)} characters.`;
  if (isCommonPassword(password))
    return 'Too many people choose this password, or one like it. Choose another.';
  return password === repeated ? null : 'The two passwords differ.';
}
