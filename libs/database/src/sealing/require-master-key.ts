import { createSealer, type MasterKey } from '@svc/runtime';
import { type Database } from '../database/database';
import { signingKeyContext } from './signing-key-context';

/**
 * Lets a service start only with the master key that its installation's secrets are sealed with. With another one it
 * would start, and then fail at each webhook, provider credential and stored answer. The check decrypts the newest
 * signing key. Before there is one, any master key is accepted.
 * @throws Error in one line.
 */
export async function requireMasterKey(database: Database, masterKey: MasterKey): Promise<void> {
  const newest = await database.prisma.signingKey.findFirst({
    orderBy: [{ createdAt: 'desc' }, { kid: 'asc' }],
  });
  if (newest === null) return;
  try {
    createSealer(masterKey).open(newest.privateKeyCiphertext, signingKeyContext(newest.kid));
  } catch (cause) {
    throw new Error('SVC_MASTER_KEY does not open what is stored in this database: another key sealed it.', {
      cause,
    });
  }
}
