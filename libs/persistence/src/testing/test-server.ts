import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../embedded';
import { startTimeOf } from '../embedded/process-identity';
import { testServerUrl } from './config';

/** Jest loads modules anew for each test file, so a worker process shares its server through this file. */
const noteFile = join(tmpdir(), `svc-test-postgres-${String(process.pid)}-${startTimeOf(process.pid)}`);

let starting: Promise<string> | null = null;

/** One server for all test files of this process: the one of SVC_TEST_DATABASE_URL, or an embedded one. */
export function findTestServer(): Promise<string> {
  const url = testServerUrl();
  if (url !== undefined) return Promise.resolve(url);
  if (existsSync(noteFile)) return Promise.resolve(readFileSync(noteFile, 'utf8'));
  starting ??= startServer();
  return starting;
}

async function startServer(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'));
  const { url } = await startEmbeddedPostgres({ dataDir, fast: true });
  endWithThisProcess(dataDir);
  writeFileSync(`${noteFile}.new`, url, { mode: 0o600 });
  renameSync(`${noteFile}.new`, noteFile);
  return url;
}

/**
 * Jest runs no exit handler of a test, and a worker may be killed. The keeper reads from a pipe that only this process
 * holds. The pipe closes however this process ends. Then the keeper ends the server and removes its files.
 */
function endWithThisProcess(dataDir: string): void {
  const script = `cat >/dev/null; pid=$(head -n 1 "$1/postgres/pgdata/postmaster.pid") && kill -QUIT "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; rm -rf "$1" "$2"`;
  const keeper = spawn('sh', ['-c', script, 'sh', dataDir, noteFile], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.unref();
  (keeper.stdin as unknown as { unref(): void }).unref();
}
