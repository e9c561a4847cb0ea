import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error It comes without types.
import S3rver from '@20minutes/s3rver';
import { FolderStore } from './folder/folder-store';
import { type ObjectStore } from './object-store';
import { describeStore, read } from './object-store.contract';
import { openObjectStore } from './open-object-store';
import { S3Store } from './s3/s3-store';
import { settingsOf } from './testing/settings-of';

interface Imitation {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

let folder: string;
let imitation: Imitation;
const stores = new Map<string, ObjectStore>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-storage-'));
  const options = { port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3') };
  // It does not sign every query as S3 does. The server of the fault tier checks each signature.
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
});
afterAll(async () => {
  await imitation.close();
  await rm(folder, { recursive: true });
});

describeStore('a folder', { opened: () => stores.get('a folder')! });
// The imitation cannot give an upload up.
describeStore('an imitation of S3', { opened: () => stores.get('an imitation of S3')!, loses: false });

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
