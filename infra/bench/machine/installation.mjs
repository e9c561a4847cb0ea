// The installation of Svc in the benchmark: a migrated database with organizations whose limits no load reaches.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../local/workspace.mjs';
import { addOrganizations, addSlowKey, CREDIT_NANOS, secretOf } from './organizations.mjs';
import { folder } from './servers.mjs';

const require = createRequire(new URL('../../../package.json', import.meta.url));
const { Client } = require('pg');

const ORGANIZATIONS = 1000;

/** @param catalogText the catalog file. @param providerKeys variables of the providers' credentials that it names. */
export async function install({ node, servers, catalogText, providerKeys }) {
  const catalogFile = join(folder, 'catalog.yaml');
  writeFileSync(catalogFile, catalogText);
  const apiKey = `svc_sk_${randomBytes(32).toString('base64url')}`;
  const environment = {
    ...servers.variables,
    SVC_HOST: '127.0.0.1',
    SVC_BASE_URL: 'https://bench.example.com',
    SVC_CATALOG_FILE: catalogFile,
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
    SVC_PLATFORM_TOKEN: randomBytes(24).toString('hex'),
    ...providerKeys,
  };
  setUp(node, environment, apiKey);
  const database = await connectTo(environment.SVC_DATABASE_URL);
  await addOrganizations(database, ORGANIZATIONS);
  const { rows } = await database.query('SELECT version() AS version');
  return {
    apiKey,
    slowApiKey: await addSlowKey(database),
    organizationKeys: Array.from({ length: ORGANIZATIONS }, (_, at) => secretOf(at + 1)),
    environment,
    database,
    postgresqlVersion: rows[0].version.split(' ')[1],
    /** @returns the URL of a new, empty database. */
    async newDatabase(name) {
      await database.query(`CREATE DATABASE ${name}`);
      return Object.assign(new URL(environment.SVC_DATABASE_URL), { pathname: `/${name}` }).href;
    },
    close: () => database.end(),
  };
}

/** Migrates a database and creates its first organization. */
export function setUp(node, environment, apiKey) {
  execFileSync(node, [join(root, 'dist/apps/all-in-one/src/set-up.js')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      SVC_DATABASE_URL: environment.SVC_DATABASE_URL,
      SVC_BASE_URL: environment.SVC_BASE_URL,
      SVC_BOOTSTRAP_API_KEY: apiKey,
      SVC_BOOTSTRAP_CREDIT_NANOS: String(CREDIT_NANOS),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Connects to a database of the benchmark. */
export async function connectTo(databaseUrl) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}
