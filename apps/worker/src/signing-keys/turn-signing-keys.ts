import { type Clock } from '@svc/kernel';
import { type SigningKeyStore } from '@svc/persistence';
import { newSigningKey } from '@svc/platform/access-tokens';

/** Lets the next signing key of access tokens take over when its time has come, and forgets those that no live token needs. */
export async function turnSigningKeys(
  keys: SigningKeyStore,
  clock: Clock,
): Promise<{ readonly more: boolean }> {
  await keys.turn(clock.now(), newSigningKey);
  return { more: false };
}
