import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error It comes without types.
import S3rver from '@20minutes/s3rver';
import { loadConfig } from '@svc/platform';
import { z } from 'zod';
import { checkStorageVariables, storageSettings, storageVariables } from './config/storage-variables';
import { FolderStore } from './folder/folder-store';
import { type ByteRange, type ObjectStore, type StoredPart, type Upload } from './object-store';
import { openObjectStore } from './open-object-store';
import { S3Store } from './s3/s3-store';

interface Imitation {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
/** The variables of the server of `npm run test:distributed`. */
const server = JSON.parse(process.env['SVC_TEST_STORAGE'] ?? 'null') as Record<string, string> | null;
let folder: string;
let imitation: Imitation;
const stores = new Map<string, ObjectStore>();

const settingsOf = (env: Record<string, string>) => {
  const schema = z
    .object({ SVC_DATA_DIR: z.string().default('.svc'), ...storageVariables })
    .superRefine(checkStorageVariables);
  return storageSettings(loadConfig(schema, env));
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-storage-'));
  const options = { port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3') };
  // It does not sign every query as S3 does. The server of the distributed tests checks each signature.
  imitation = new (S3rver as unknown as new (options: object) => Imitation)({
    ...options,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: 'objects' }],
  });
  const { port } = await imitation.run();
  stores.set('a folder', new FolderStore(join(folder, 'objects')));
  stores.set(
    'an imitation of S3',
    await openObjectStore(
      settingsOf({
        SVC_STORAGE_URL: 's3://objects/svc',
        SVC_STORAGE_ENDPOINT: `http://127.0.0.1:${String(port)}`,
        SVC_STORAGE_ACCESS_KEY_ID: 'S3RVER',
        SVC_STORAGE_SECRET_ACCESS_KEY: 'S3RVER',
        SVC_STORAGE_PATH_STYLE: 'true',
      }),
    ),
  );
  if (server !== null) stores.set('a server of S3', await openObjectStore(settingsOf(server)));
});
afterAll(async () => {
  await imitation.close();
  await rm(folder, { recursive: true });
});

async function read(store: ObjectStore, key: string, range: ByteRange): Promise<Buffer> {
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

const names = ['a folder', 'an imitation of S3', ...(server === null ? [] : ['a server of S3'])];

describe.each(names)('%s', (name) => {
  const [first, second, last] = [randomBytes(5 * MIB), randomBytes(5 * MIB + 17), randomBytes(3)];
  const whole = Buffer.concat([first, second, last]);
  let store: ObjectStore;
  let key: string;
  beforeEach(() => {
    store = stores.get(name)!;
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
    // The imitation cannot give an upload up.
    if (name === 'an imitation of S3') return;
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

describe('a folder', () => {
  it('cuts off what follows the committed length', async () => {
    const store = stores.get('a folder')!;
    const upload = await store.begin('exports/cut');
    const parts = [await store.put(upload, [], Buffer.from('kept'))];
    await appendFile(join(folder, 'objects/exports/cut.partial'), 'half a part');
    await store.complete(upload, parts);
    expect(String(await read(store, 'exports/cut', { start: 0, end: 4 }))).toBe('kept');
    expect(await store.sizeOf('exports/cut')).toBe(4);
    expect(await readdir(join(folder, 'objects/exports'))).not.toContain('cut.partial');
  });

  it('that cannot be written refuses', async () => {
    const closed = join(folder, 'closed');
    await new FolderStore(closed).begin('first');
    // Root may write everywhere; a file in the place of a folder refuses everybody.
    await expect(new FolderStore(join(closed, 'first.partial')).begin('second')).rejects.toMatchObject({
      failure: 'refused',
    });
  });
});

describe('a bucket', () => {
  const s3 = (changes: object) =>
    S3Store.open({
      bucket: 'objects',
      prefix: '',
      endpoint: 'http://127.0.0.1:9',
      region: 'us-east-1',
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      pathStyle: true,
      ...changes,
    });

  it('that nobody serves is unavailable, and the error tells no secret', async () => {
    const store = await s3({ credentials: { accessKeyId: 'someone', secretAccessKey: 'hunter2' } });
    const failed = store.begin('key');
    await expect(failed).rejects.toMatchObject({ name: 'StorageError', failure: 'unavailable' });
    await failed.catch((error: Error) => expect(JSON.stringify(error)).not.toContain('hunter2'));
  });

  it('that does not exist, or a login that it does not know, refuses', async () => {
    const port = (
      imitation as unknown as { httpServer: { address(): { port: number } } }
    ).httpServer.address().port;
    const endpoint = `http://127.0.0.1:${String(port)}`;
    const elsewhere = await s3({ endpoint, bucket: 'nowhere' });
    await expect(elsewhere.begin('key')).rejects.toMatchObject({
      failure: 'refused',
    });
    const credentials = { accessKeyId: 'someone', secretAccessKey: 'else' };
    const stranger = await s3({ endpoint, credentials });
    await expect(stranger.begin('key')).rejects.toMatchObject({ failure: 'refused' });
  });
});

const describeServer = server === null ? describe.skip : describe;

describeServer('a server of S3 that checks signatures', () => {
  const refused = { failure: 'refused' };

  it('refuses a wrong secret, a login that it does not know, and a bucket that does not exist', async () => {
    for (const wrong of [
      { SVC_STORAGE_SECRET_ACCESS_KEY: 'wrong' },
      { SVC_STORAGE_ACCESS_KEY_ID: 'nobody' },
      { SVC_STORAGE_URL: 's3://nowhere' },
    ]) {
      const store = await openObjectStore(settingsOf({ ...server, ...wrong }));
      await expect(store.begin('key')).rejects.toMatchObject(refused);
    }
  });
});

describe('the variables of storage', () => {
  it('are a folder in the data directory by default', () => {
    expect(settingsOf({ SVC_DATA_DIR: '/data' })).toEqual({ kind: 'folder', path: '/data/objects' });
  });

  it.each([
    ['file:/srv/objects', { kind: 'folder', path: '/srv/objects' }],
    ['file:///srv/objects', { kind: 'folder', path: '/srv/objects' }],
    ['s3://bucket', { kind: 's3', bucket: 'bucket', prefix: '' }],
    ['s3://bucket/a/b/', { kind: 's3', bucket: 'bucket', prefix: 'a/b' }],
  ])('%s', (SVC_STORAGE_URL, expected) => {
    expect(settingsOf({ SVC_STORAGE_URL })).toMatchObject(expected);
  });

  it.each([
    [{ SVC_STORAGE_URL: 'https://bucket' }, 'SVC_STORAGE_URL'],
    [{ SVC_STORAGE_URL: 's3://' }, 'SVC_STORAGE_URL'],
    [{ SVC_STORAGE_ACCESS_KEY_ID: 'one' }, 'SVC_STORAGE_SECRET_ACCESS_KEY'],
  ])('%j is refused', (env, name) => {
    expect(() => settingsOf(env)).toThrow(name);
  });
});
