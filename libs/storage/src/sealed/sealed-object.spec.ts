import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { FolderStore } from '../folder/folder-store';
import { type ByteRange, type StoredPart } from '../object-store';
import { newObjectKey, SealedObject } from './sealed-object';

const KIB = 1024;
const KEY = newObjectKey();
let folder: string;
let store: FolderStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sealed-'));
  store = new FolderStore(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Distinct at each place. */
const textOf = (bytes: number): Buffer =>
  Buffer.from(
    Array.from({ length: Math.ceil(bytes / 8) }, (_, at) => String(at).padStart(8, '0')).join(''),
  ).subarray(0, bytes);

async function stored(name: string, lengths: readonly number[]): Promise<SealedObject> {
  const sealed = new SealedObject(KEY, name);
  const upload = await store.begin(name);
  const parts: StoredPart[] = [];
  for (const [at, length] of lengths.entries()) {
    parts.push(await store.put(upload, parts, sealed.seal(at + 1, textOf(length))));
  }
  await store.complete(upload, parts);
  return sealed;
}

async function read(sealed: SealedObject, lengths: readonly number[], range: ByteRange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of sealed.read(store, lengths, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it('any range of an object of any parts is read back', async () => {
  const length = fc.nat({ max: 900 * KIB });
  await fc.assert(
    fc.asyncProperty(
      fc.array(length, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.nat(),
      async (lengths, a, b) => {
        const whole = Buffer.concat(lengths.map(textOf));
        const [start = 0, end = 0] = [a % (whole.length + 1), b % (whole.length + 1)].sort((x, y) => x - y);
        const sealed = await stored('ranges', lengths);
        expect((await read(sealed, lengths, { start, end })).equals(whole.subarray(start, end))).toBe(true);
        expect((await read(sealed, lengths, { start: 0, end: whole.length })).equals(whole)).toBe(true);
      },
    ),
    { numRuns: 25 },
  );
});

it('nothing of the content is in the store', async () => {
  await stored('hidden', [600 * KIB]);
  expect((await readFile(join(folder, 'hidden'))).includes('0000')).toBe(false);
});

it.each([
  ['an altered byte', (bytes: Buffer) => bytes.fill((bytes[300 * KIB] ?? 0) ^ 1, 300 * KIB, 300 * KIB + 1)],
  ['frames in another order', (bytes: Buffer) => Buffer.concat([bytes.subarray(256 * KIB + 49), bytes])],
])('%s is not read', async (_, change) => {
  const lengths = [600 * KIB];
  const sealed = await stored('altered', lengths);
  const path = join(folder, 'altered');
  await writeFile(path, change(await readFile(path)));
  await expect(read(sealed, lengths, { start: 0, end: 600 * KIB })).rejects.toThrow('does not open');
});

it('no other key opens it, and no other object has its frames', async () => {
  const lengths = [10];
  await stored('one', lengths);
  const stranger = new SealedObject(newObjectKey(), 'one');
  await expect(read(stranger, lengths, { start: 0, end: 10 })).rejects.toThrow('does not open');
  await writeFile(join(folder, 'two'), await readFile(join(folder, 'one')));
  await expect(read(new SealedObject(KEY, 'two'), lengths, { start: 0, end: 10 })).rejects.toThrow(
    'does not open',
  );
});
