import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDir } from './data-dir';

let around: string;
let path: string;
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'svc-data-dir-'));
  path = join(around, 'deep', 'down');
});
afterEach(() => {
  rmSync(around, { recursive: true });
});
const AT = new Date('2026-11-23T12:00:00Z');

/** Opens it as a start does. */
const open = async (): Promise<DataDir> => {
  const dataDir = new DataDir(path);
  await dataDir.prepare();
  return dataDir;
};

describe('the data directory', () => {
  it('keeps its master key over starts', async () => {
    const first = await (await open()).masterKey();
    expect(first).toHaveLength(32);
    expect((await (await open()).masterKey()).equals(first)).toBe(true);
  });

  it('makes a token for the metrics at the first start, of its own for each installation', async () => {
    const first = await (await open()).metricsToken();
    expect(first).toMatch(/^svc_mt_[\w-]{43}$/);
    expect(await (await open()).metricsToken()).toBe(first);
    path = join(around, 'elsewhere');
    expect(await (await open()).metricsToken()).not.toBe(first);
  });

  it('makes another master key for another installation', async () => {
    const first = await (await open()).masterKey();
    path = join(around, 'elsewhere');
    expect((await (await open()).masterKey()).equals(first)).toBe(false);
  });

  it('tells the platform token once, and keeps only its hash', async () => {
    const secret = await (await open()).newPlatformToken();
    expect(secret).toMatch(/^svc_pt_[\w-]{43}$/);
    expect(await (await open()).newPlatformToken()).toBeNull();
    const kept = readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'));
    expect(kept).toEqual([createHash('sha256').update(secret!).digest('hex')]);
  });

  it('knows the platform token again by its hash', async () => {
    const secret = await (await open()).newPlatformToken();
    const known = await (await open()).platformTokenSha256();
    expect(known.equals(createHash('sha256').update(secret!).digest())).toBe(true);
  });

  it('lets nobody but its owner read what it keeps', async () => {
    const dataDir = await open();
    await dataDir.masterKey();
    await dataDir.metricsToken();
    await dataDir.newPlatformToken();
    await dataDir.noteDatabaseUrl('postgres://user:password@localhost/svc');
    await dataDir.noteFirstSecrets({ SVC_API_KEY: 'svc_sk_1' }, AT);
    const modes = readdirSync(path).map((name) => [
      name,
      (statSync(join(path, name)).mode & 0o777).toString(8),
    ]);
    expect(modes).toEqual([
      ['database-url', '600'],
      ['first-start-secrets.env', '600'],
      ['master-key', '600'],
      ['metrics-token', '600'],
      ['platform-token.sha256', '600'],
    ]);
  });

  it('notes the database’s address anew with every start', async () => {
    await (await open()).noteDatabaseUrl('postgres://localhost:1/svc');
    await (await open()).noteDatabaseUrl('postgres://localhost:2/svc');
    expect(readFileSync(join(path, 'database-url'), 'utf8')).toBe('postgres://localhost:2/svc');
  });

  it('gives the secrets of the first start to a shell as they are', async () => {
    const dataDir = await open();
    expect(dataDir.hasFirstSecrets).toBe(false);
    const password = `it's $HOME, "quoted"\\`;
    await dataDir.noteFirstSecrets({ SVC_API_KEY: 'svc_sk_1', SVC_OWNER_PASSWORD: password }, AT);
    expect(dataDir.hasFirstSecrets).toBe(true);
    const script = '. "$0"; printf "%s|%s" "$SVC_API_KEY" "$SVC_OWNER_PASSWORD"';
    const read = execFileSync('sh', ['-c', script, dataDir.firstSecretsFile], { encoding: 'utf8' });
    expect(read).toBe(`svc_sk_1|${password}`);
  });

  it('loses no secret that an earlier first start noted', async () => {
    const dataDir = await open();
    await dataDir.noteFirstSecrets({ SVC_API_KEY: 'old', SVC_PLATFORM_TOKEN: 'kept' }, AT);
    await dataDir.noteFirstSecrets({ SVC_API_KEY: 'new' }, AT);
    const script = '. "$0"; printf "%s|%s" "$SVC_API_KEY" "$SVC_PLATFORM_TOKEN"';
    const read = execFileSync('sh', ['-c', script, dataDir.firstSecretsFile], { encoding: 'utf8' });
    expect(read).toBe('new|kept');
  });

  it('that is no folder is refused in a line with the variable and the remedy', async () => {
    path = join(around, 'file');
    writeFileSync(path, '');
    await expect(open()).rejects.toThrow(
      /^SVC_DATA_DIR: \/.+\/file cannot be written to \(\w+\): let this user write there, or set another folder$/,
    );
  });
});
