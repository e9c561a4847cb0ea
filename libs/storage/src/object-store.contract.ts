import { randomBytes } from 'node:crypto';
import { type ByteRange, type ObjectStore, type StoredPart, type Upload } from './object-store';

interface TestedStore {
  /** The store, once the file's `beforeAll` is done. */
  readonly opened: () => ObjectStore;
  /** True where what is behind the store can give an upload up. */
  readonly loses?: boolean;
}

const MIB = 1024 * 1024;

/** The promises of every store of objects. */
export function describeStore(name: string, { opened, loses = true }: TestedStore): void {
  describe(name, () => {
    const [first, second, last] = [randomBytes(5 * MIB), randomBytes(5 * MIB + 17), randomBytes(3)];
    const whole = Buffer.concat([first, second, last]);
    let store: ObjectStore;
    let key: string;
    beforeEach(() => {
      store = opened();
      key = `exports/org_1/exp_${randomBytes(8).toString('hex')}`;
    });

    it('shows an object when it is complete, whole, and in any range', async () => {
      const upload = await store.begin(key);
      const parts = await putAll(store, upload, [first, second, last]);
      expect(await store.sizeOf(key)).toBeNull();
      await store.complete(upload, parts);
      expect(await store.sizeOf(key)).toBe(whole.length);
      expect((await read(store, key, { start: 0, end: whole.length })).equals(whole)).toBe(true);
      for (const range of [
        { start: 0, end: 2 },
        { start: first.length - 2, end: first.length + 3 },
        { start: whole.length - 1, end: whole.length },
        { start: 7, end: 7 },
      ]) {
        expect(await read(store, key, range)).toEqual(whole.subarray(range.start, range.end));
      }
    });

    it('takes a part again that was not committed, in another length too', async () => {
      const upload = await store.begin(key);
      const committed = await putAll(store, upload, [first]);
      await store.put(upload, committed, randomBytes(6 * MIB));
      const parts = await putAll(store, upload, [second, last], committed);
      await store.complete(upload, parts);
      expect((await read(store, key, { start: 0, end: whole.length })).equals(whole)).toBe(true);
    });

    it('completes a second time, as after a kill', async () => {
      const upload = await store.begin(key);
      const parts = await putAll(store, upload, [last]);
      await store.complete(upload, parts);
      await store.complete(upload, parts);
      expect(await store.sizeOf(key)).toBe(last.length);
    });

    it('says that a part is lost, before it shows an object without it', async () => {
      if (!loses) return;
      const upload = await store.begin(key);
      const parts = await putAll(store, upload, [first, last]);
      await store.abort(upload);
      await expect(store.complete(upload, parts)).rejects.toMatchObject({ failure: 'lost' });
      // Some servers still take a part of it, but never the whole.
      const later = store.put(upload, parts, last).then((part) => store.complete(upload, [...parts, part]));
      await expect(later).rejects.toMatchObject({ failure: 'lost' });
      expect(await store.sizeOf(key)).toBeNull();
    });

    it('deletes an object, and one that is not there', async () => {
      const upload = await store.begin(key);
      await store.complete(upload, await putAll(store, upload, [last]));
      await store.delete(key);
      expect(await store.sizeOf(key)).toBeNull();
      await expect(read(store, key, { start: 0, end: 1 })).rejects.toMatchObject({ failure: 'lost' });
      await store.delete(key);
      await store.abort(upload);
    });

    it.each(['', '../up', '/root', 'a//b', 'A', 'a.partial', 'a b'])('refuses the key %j', async (bad) => {
      await expect(store.begin(bad)).rejects.toMatchObject({ failure: 'refused' });
    });
  });
}

export async function read(store: ObjectStore, key: string, range: ByteRange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of store.read(key, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Puts parts one after another, each beside those before. */
async function putAll(
  store: ObjectStore,
  upload: Upload,
  bodies: readonly Buffer[],
  committed: readonly StoredPart[] = [],
): Promise<StoredPart[]> {
  const parts = [...committed];
  for (const body of bodies) parts.push(await store.put(upload, parts, body));
  return parts;
}
