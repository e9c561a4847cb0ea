import { type SigningKeyStore } from '@svc/access/store';
import { newSigningKey } from '@svc/access/access-tokens';

/** Activates the next signing key of access tokens when it is due, and deletes keys that no valid token needs. */
export async function rotateSigningKeys(keys: SigningKeyStore): Promise<{ readonly more: boolean }> {
  await keys.turn(newSigningKey);
  return { more: false };
}
