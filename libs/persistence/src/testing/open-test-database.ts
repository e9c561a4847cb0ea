import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Database, openDatabase } from '../database/database';
import { findWorkspace, migrate } from '../migrations/migrate';
import { testServerUrl } from './config';

export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  /** Closes the database and drops it. */
  close(): Promise<void>;
}

const POOL_SIZE = 10;
/** Key of the advisory lock that lets one process make the template for all. */
const TEMPLATE_LOCK = 7_310_003;

/** Opens a separate, empty and migrated database, copied from a template in milliseconds. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const serverUrl = testServerUrl();
  const template = await prepareTemplate(serverUrl);
  const name = `svc_test_${randomUUID().replaceAll('-', '')}`;
  // Copying files beats the default, which writes every page to the WAL.
  await onServer(serverUrl, (server) =>
    server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`),
  );
  const url = databaseUrl(serverUrl, name);
  const database = openDatabase({ url, poolSize: POOL_SIZE });
  return {
    database,
    url,
    close: async () => {
      await database.close();
      await onServer(serverUrl, (server) => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/** The template is named after the content of the migrations, so that a changed migration makes another one. */
function prepareTemplate(serverUrl: string): Promise<string> {
  const template = `svc_template_${migrationsHash()}`;
  return onServer(serverUrl, async (server) => {
    await server.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await server.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (rowCount === 0) {
      const draft = `${template}_draft`;
      await server.query(`DROP DATABASE IF EXISTS ${draft}`);
      await server.query(`CREATE DATABASE ${draft}`);
      await migrate(databaseUrl(serverUrl, draft));
      await server.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
    }
    return template;
  });
}

function migrationsHash(): string {
  const folder = join(findWorkspace(__dirname), 'libs/persistence/prisma/migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.sql')) hash.update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function onServer<T>(serverUrl: string, work: (server: Client) => Promise<T>): Promise<T> {
  const server = new Client({ connectionString: serverUrl });
  await server.connect();
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
