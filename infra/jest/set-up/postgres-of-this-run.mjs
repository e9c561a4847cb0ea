import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithTheRun } from './ended-with-the-run.mjs';
import { migratedData, templateName } from './migrated-data.mjs';

const require = createRequire(import.meta.url);

/**
 * Starts a PostgreSQL whose template database is migrated (libs/persistence/src/testing copies it for each spec file).
 * @returns its URL.
 */
export async function startPostgresOfThisRun() {
  const migrated = await migratedData();
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-postgres-'));
  chmodSync(dataDir, 0o755);
  // Keeps the owner, the account that PostgreSQL runs under.
  execFileSync('cp', ['-a', join(migrated, 'postgres'), dataDir]);
  const { startEmbeddedPostgres } = require('../../../dist/libs/persistence/src/embedded/index.js');
  const { url } = await startEmbeddedPostgres({ dataDir, fast: true });
  endWithTheRun(keeperOf(dataDir));
  const server = new URL(url);
  server.pathname = '/postgres';
  await renameDatabase(server.href, new URL(url).pathname.slice(1), templateName());
  return server.href;
}

async function renameDatabase(serverUrl, from, to) {
  const { Client } = require('pg');
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`ALTER DATABASE ${from} RENAME TO ${to}`);
  await client.end();
}

/**
 * However this process ends, the pipe to the keeper closes, and the keeper ends the server and removes its files.
 * @returns what ends the server now, and waits for that.
 */
function keeperOf(dataDir) {
  const script = `cat >/dev/null; pid=$(head -n 1 "$1/postgres/pgdata/postmaster.pid") && kill -QUIT "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; rm -rf "$1"`;
  const keeper = spawn('sh', ['-c', script, 'sh', dataDir], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.unref();
  keeper.stdin.unref();
  return () =>
    new Promise((resolve) => {
      keeper.once('exit', resolve).ref();
      keeper.stdin.end();
    });
}
