import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithTheRun } from './ended-with-the-run.mjs';
import { migratedData, templateName } from './migrated-data.mjs';

const require = createRequire(import.meta.url);

const END_SERVER = `pid=$(head -n 1 "$1/postgres/pgdata/postmaster.pid") && kill -QUIT "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; rm -rf "$1"`;

/**
 * Starts a PostgreSQL whose template database is migrated (libs/database/src/testing copies it for each spec file).
 * @returns its URL.
 */
export async function startPostgresOfThisRun() {
  const migrated = await migratedData();
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-postgres-'));
  chmodSync(dataDir, 0o755);
  // Keeps the owner, the account that PostgreSQL runs under.
  execFileSync('cp', ['-a', join(migrated, 'postgres'), dataDir]);
  const { startEmbeddedPostgres } = require('../../../dist/libs/database/src/embedded/index.js');
  const { url } = await startEmbeddedPostgres({ dataDir, fast: true });
  const { startKeeper } = require('../../../dist/libs/testing/src/keeper.js');
  endWithTheRun(startKeeper(END_SERVER, [dataDir]).end);
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
