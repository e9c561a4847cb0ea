import { createSealer } from '@svc/runtime';
import { newSigningKey } from '@svc/platform/access-tokens';
import { SigningKeyStore } from '../oauth/signing-key-store';
import { openTestDatabase, type TestDatabase } from '../testing';
import { requireMasterKey } from './require-master-key';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('a service starts with any first master key, then with no other but beside it', async () => {
  await requireMasterKey(test.database, NEW);
  await new SigningKeyStore(test.database, createSealer(OLD)).turn(newSigningKey);
  await requireMasterKey(test.database, OLD);
  await requireMasterKey(test.database, [NEW, OLD]);
  await expect(requireMasterKey(test.database, NEW)).rejects.toThrow(
    'SVC_MASTER_KEY does not open what is stored in this database',
  );
});
