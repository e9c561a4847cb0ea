// What Svc runs on in the benchmark: a migrated database with organizations that may call as much as the load can.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../local/workspace.mjs';
import { catalog } from './catalog.mjs';
import { folder } from './servers.mjs';

const require = createRequire(new URL('../../../package.json', import.meta.url));
const { Client } = require('pg');

/** The largest that its column holds: the buckets are asked at every call, and never empty. */
const LIMIT = 2_147_483_647;
/** Far more than a run spends: 100,000 USD. */
const CREDIT_NANOS = 100_000_000_000_000n;
/** Less than the wallet, and never reached: what counts is that it is judged. */
const BUDGET_NANOS = 50_000_000_000_000n;
export const ORGANIZATIONS = 1000;

export async function install({ node, servers, upstream }) {
  const catalogFile = join(folder, 'catalog.yaml');
  writeFileSync(catalogFile, catalog(upstream.port));
  const apiKey = `svc_sk_${randomBytes(32).toString('base64url')}`;
  const environment = {
    ...servers.variables,
    SVC_HOST: '127.0.0.1',
    SVC_BASE_URL: 'https://bench.example.com',
    SVC_CATALOG_FILE: catalogFile,
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
    SVC_PLATFORM_TOKEN: randomBytes(24).toString('hex'),
    BENCH_PROVIDER_KEY: 'provider-key',
  };
  setUp(node, environment, apiKey);
  const database = await connectTo(environment.SVC_DATABASE_URL);
  await database.query(organizations);
  await database.query(policies);
  const { rows } = await database.query('SELECT version() AS version');
  return {
    apiKey,
    slowApiKey: secretOf('slow'),
    organizationKeys: Array.from({ length: ORGANIZATIONS }, (_, at) => secretOf(at + 1)),
    environment,
    database,
    postgresqlVersion: rows[0].version.split(' ')[1],
    /** @returns the URL of one more database, with nothing in it. */
    async newDatabase(name) {
      await database.query(`CREATE DATABASE ${name}`);
      return Object.assign(new URL(environment.SVC_DATABASE_URL), { pathname: `/${name}` }).href;
    },
    close: () => database.end(),
  };
}

/** Migrates a database and makes its first organization. */
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

/** To a database of the benchmark. */
export async function connectTo(databaseUrl) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}

/** No secret: they are made for one run and open nothing but a database that ends with it. */
const secretOf = (name) => `svc_sk_bench-organization-${name}`;
const keyRow = (name) =>
  `left('svc_sk_bench-organization-', 15), sha256(convert_to('svc_sk_bench-organization-' || ${name}, 'UTF8'))`;

const organizations = `
  INSERT INTO organizations (id, name) SELECT 'org_bench' || n, 'Bench ' || n FROM generate_series(1, ${ORGANIZATIONS}) n;
  INSERT INTO api_keys (id, organization_id, name, prefix, secret_sha256, scopes)
    SELECT 'key_bench' || n, 'org_bench' || n, 'Bench', ${keyRow('n')}, '{inference:invoke}'
    FROM generate_series(1, ${ORGANIZATIONS}) n;
  INSERT INTO credit_grants (id, organization_id, amount_nanos, reason)
    SELECT 'crg_bench' || n, 'org_bench' || n, ${CREDIT_NANOS}, 'Bench' FROM generate_series(1, ${ORGANIZATIONS}) n;
  INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, credit_grant_id)
    SELECT 'txn_bench' || n, 'org_bench' || n, 'platform:credit', 'wallet:org_bench' || n, ${CREDIT_NANOS},
      'credit_grant', 'crg_bench' || n
    FROM generate_series(1, ${ORGANIZATIONS}) n;
  INSERT INTO wallets (organization_id, balance_nanos)
    SELECT 'org_bench' || n, ${CREDIT_NANOS} FROM generate_series(1, ${ORGANIZATIONS}) n`;

/** For every organization: limits, a blocking budget for its month, and a policy of its own. */
const policies = `
  UPDATE organizations SET rate_limit_rpm = ${LIMIT}, rate_limit_tpm = ${LIMIT};
  UPDATE api_keys SET rate_limit_rpm = ${LIMIT}, rate_limit_tpm = ${LIMIT};
  INSERT INTO budgets (id, organization_id, name, scope, scope_id, period, amount_nanos, action, warn_at_bps)
    SELECT 'bud_' || id, id, 'Month', 'organization', id, 'month', ${BUDGET_NANOS}, 'block', 8000 FROM organizations;
  INSERT INTO policy_versions (id, organization_id, version, document)
    SELECT 'pol_' || id, id, 1, '{"denied_regions": ["moon"], "max_attempts": 2}' FROM organizations;
  INSERT INTO api_keys (id, organization_id, name, prefix, secret_sha256, scopes, rate_limit_rpm)
    SELECT 'key_slow', 'org_bench1', 'Slow', ${keyRow("'slow'")}, '{inference:invoke}', 1;
  ANALYZE`;
