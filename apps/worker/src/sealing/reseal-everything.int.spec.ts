import { SigningKeyStore } from '@svc/access/store';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { createSealer, type MasterKey } from '@svc/runtime';
import { newSigningKey } from '@svc/access/access-tokens';
import { resealEverything } from './reseal-everything';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
let test: TestDatabase;
beforeEach(async () => {
  test = await emptyTestDatabase();
});
afterEach(() => test.close());

const keysWith = (masterKey: MasterKey) => new SigningKeyStore(test.database, createSealer(masterKey));
const reseal = async (masterKey: MasterKey) => {
  const lines: string[] = [];
  const isDone = await resealEverything(test.database, createSealer(masterKey), (line) => lines.push(line));
  return { isDone, lines };
};

describe('the change of the master key', () => {
  it('reports that the old key is no longer needed, also the second time', async () => {
    await keysWith(OLD).rotateKeys(newSigningKey);
    const { isDone, lines } = await reseal([NEW, OLD]);
    expect(isDone).toBe(true);
    expect(lines[0]).toBe('signing_keys.private_key_ciphertext: 2 seen, 2 sealed again');
    expect(lines.at(-1)).toBe(
      'All 2 sealed values open with the current key: no other key is needed any more.',
    );
    expect((await reseal(NEW)).lines).toEqual([
      'signing_keys.private_key_ciphertext: 2 seen, 0 sealed again',
      lines.at(-1),
    ]);
    expect((await keysWith(NEW).active()).kid).toBeDefined();
  });

  it('re-encrypts what an earlier release sealed with a key of its own, while the master key stays', async () => {
    await keysWith(OLD).rotateKeys(newSigningKey);
    const formats = async () =>
      (await test.database.prisma.signingKey.findMany()).map((row) => row.privateKeyCiphertext[0]);
    expect(await formats()).toEqual([1, 1]);
    const { isDone, lines } = await reseal(OLD);
    expect(isDone).toBe(true);
    expect(lines[0]).toBe('signing_keys.private_key_ciphertext: 2 seen, 2 sealed again');
    expect(await formats()).toEqual([2, 2]);
    expect((await keysWith(OLD).active()).kid).toBeDefined();
  });

  it('fails, and names what is left, while a value cannot be opened with any given key', async () => {
    await keysWith(OLD).rotateKeys(newSigningKey);
    const { isDone, lines } = await reseal(NEW);
    expect(isDone).toBe(false);
    for (const { kid } of await keysWith(OLD).published()) {
      expect(lines).toContain(`not opened by any key given: signing_keys.private_key_ciphertext of ${kid}`);
    }
    expect(lines.at(-1)).toContain('2 of 2 sealed values open with no key given');
    expect((await keysWith(OLD).active()).kid).toBeDefined();
  });
});
