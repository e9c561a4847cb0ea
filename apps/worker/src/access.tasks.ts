import { newSigningKey } from '@svc/access/access-tokens';
import { SigningKeyStore } from '@svc/access/store';
import { type Database } from '@svc/database';
import { createSealer, type MasterKey } from '@svc/runtime';

interface AccessRuntime {
  readonly database: Database;
  /** Seals the signing keys. */
  readonly masterKey: MasterKey;
}

const ROTATE_KEYS_EVERY_MS = 3_600_000;

/** The periodic task of signing keys. */
export function accessTasks({ database, masterKey }: AccessRuntime) {
  const keys = new SigningKeyStore(database, createSealer(masterKey));
  return [{ name: 'signing-keys', everyMs: ROTATE_KEYS_EVERY_MS, run: () => rotateSigningKeys(keys) }];
}

/** Activates the next signing key of access tokens when it is due, and deletes keys that no valid token needs. */
export async function rotateSigningKeys(keys: SigningKeyStore): Promise<{ readonly more: boolean }> {
  await keys.rotateKeys(newSigningKey);
  return { more: false };
}
