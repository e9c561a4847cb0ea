import { randomUUID } from 'node:crypto';
import { Client, Pool } from 'pg';
import { type Database, openDatabase } from '../database/database';
import { migrate } from '../migrations/migrate';
import { testServerUrl, testTemplate } from './config';

export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  /** Closes the database and drops it. */
  close(): Promise<void>;
}

const POOL_SIZE = 10;
/** Specs share their processors with many others: a wait for a connection may be long there, but not for ever. */
const CONNECT_TIMEOUT_MS = 60_000;
/** Key of the advisory lock that lets one process make the template for all. */
const TEMPLATE_LOCK = 7_310_003;

/** Of this spec file, whose tests may open a database each. */
let template: Promise<string> | undefined;
let server: Pool | undefined;

/** Opens a separate, empty and migrated database, copied from a template in milliseconds. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const serverUrl = testServerUrl();
  template ??= prepareTemplate(serverUrl);
  const copied = await template;
  const name = `svc_test_${randomUUID().replaceAll('-', '')}`;
  // Copying files beats the default, which writes every page to the WAL.
  await poolFor(serverUrl).query(`CREATE DATABASE ${name} TEMPLATE ${copied} STRATEGY file_copy`);
  const url = databaseUrl(serverUrl, name);
  const database = openDatabase({ url, poolSize: POOL_SIZE, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  return {
    database,
    url,
    close: async () => {
      await database.close();
      await poolFor(serverUrl).query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Keeps no process running: what is idle for a second closes. */
function poolFor(serverUrl: string): Pool {
  server ??= new Pool({
    connectionString: serverUrl,
    max: 2,
    idleTimeoutMillis: 1_000,
    allowExitOnIdle: true,
  }).on('error', () => undefined);
  return server;
}

function prepareTemplate(serverUrl: string): Promise<string> {
  const wanted = testTemplate();
  return onServer(serverUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [wanted]);
    if (rowCount === 0) {
      const draft = `${wanted}_draft`;
      await client.query(`DROP DATABASE IF EXISTS ${draft}`);
      await client.query(`CREATE DATABASE ${draft}`);
      await migrate(databaseUrl(serverUrl, draft));
      await client.query(`ALTER DATABASE ${draft} RENAME TO ${wanted}`);
    }
    return wanted;
  });
}

async function onServer<T>(serverUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
