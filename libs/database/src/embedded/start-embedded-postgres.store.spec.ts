import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { Client } from 'pg';
import { lockFor } from './owner-lock';
import { isAlive } from './process-identity';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres';

let dataDir: string;
let running: EmbeddedPostgres[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-embedded-'));
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataDir, fast: true });
  running.push(server);
  return server;
};
const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};
const serverPid = (): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/pgdata/postmaster.pid'), 'utf8'), 10);
const lockFile = (): string => join(dataDir, 'owner.lock');

describe('embedded PostgreSQL', () => {
  it('keeps its data and password over a restart, and ends with stop', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE t AS SELECT 1 AS n');
    const pid = serverPid();
    await first.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(lockFile())).toBe(false);
    const second = await start();
    expect(await query(second.url, 'SELECT n FROM t')).toEqual([{ n: 1 }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
  });

  it('is UTF-8 in the C locale, asks for its password, and keeps it to its owner', async () => {
    const { url } = await start();
    expect(await query(url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    expect(await query(url, 'SELECT datcollate FROM pg_database WHERE datname = current_database()')).toEqual(
      [{ datcollate: 'C' }],
    );
    const guessed = new URL(url);
    guessed.password = 'guessed';
    await expect(query(guessed.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
  });

  it('takes over from an owner that was killed and left the server running', async () => {
    const owner = startOwner(dataDir);
    const [url] = (await once(owner.stdout, 'data')) as [Buffer];
    await query(String(url), 'CREATE TABLE t AS SELECT 1 AS n');
    const leftOver = serverPid();
    await expect(start()).rejects.toThrow(`in use by process ${String(owner.pid)}`);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(isAlive(leftOver)).toBe(true);
    const server = await start();
    expect(isAlive(leftOver)).toBe(false);
    expect(await query(server.url, 'SELECT n FROM t')).toEqual([{ n: 1 }]);
  });

  it('starts where the pid file names a process that is no server of this data', async () => {
    const first = await start();
    await first.stop();
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(bystander, 'spawn');
    writeFileSync(join(dataDir, 'postgres/pgdata/postmaster.pid'), `${String(bystander.pid)}\n`);
    await start();
    expect(bystander.exitCode).toBeNull();
    bystander.kill('SIGKILL');
  });

  it('starts over what a killed first start left unfinished', async () => {
    mkdirSync(join(dataDir, 'postgres/pgdata.new'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres/pgdata.new/PG_VERSION'), '18');
    await start();
  });
});

describe('the owner’s lock', () => {
  it('of a process that is gone, or whose id another process has now, is taken over', () => {
    writeFileSync(lockFile(), `${String(process.ppid)} 1`);
    const lock = lockFor(lockFile(), dataDir);
    expect(readFileSync(lockFile(), 'utf8')).toMatch(new RegExp(`^${String(process.pid)} `));
    lock.release();
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

/** A separate process that starts the server over the folder, prints its URL and keeps running. */
function startOwner(folder: string): ChildProcessByStdio<null, Readable, null> {
  const code = `
    const { transformFileSync } = require('@swc/core');
    require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file, {
      swcrc: false, module: { type: 'commonjs' }, jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    }).code, file);
    const { startEmbeddedPostgres } = require(${JSON.stringify(join(__dirname, 'index.ts'))});
    void startEmbeddedPostgres({ dataDir: ${JSON.stringify(folder)}, fast: true }).then(({ url }) => {
      process.stdout.write(url);
      setInterval(() => {}, 1000);
    });`;
  return spawn(process.execPath, ['-e', code], { cwd: __dirname, stdio: ['ignore', 'pipe', 'inherit'] });
}
