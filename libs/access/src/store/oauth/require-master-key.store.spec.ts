import { requireMasterKey } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { createSealer } from '@svc/runtime';
import { newSigningKey } from '../../access-tokens/signing-key';
import { SigningKeyStore } from './signing-key-store';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('a service starts with any first master key, then with no other but beside it', async () => {
  await requireMasterKey(test.database, NEW);
  await new SigningKeyStore(test.database, createSealer(OLD)).rotateKeys(newSigningKey);
  await requireMasterKey(test.database, OLD);
  await requireMasterKey(test.database, [NEW, OLD]);
  await expect(requireMasterKey(test.database, NEW)).rejects.toThrow(
    'SVC_MASTER_KEY does not open what is stored in this database',
  );
});
