import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { openTestDatabase, type TestDatabase } from '../testing';
import { findWorkspace } from './migrate';

const folder = join(findWorkspace(__dirname), 'libs/persistence/prisma/migrations');
const FIRST = '20261123060000_labels_of_calls';
const LAST = '20261123061300_usage_days_key';
const names = readdirSync(folder)
  .filter((name) => /^\d/.test(name) && name <= LAST)
  .sort();

let server: TestDatabase;
let name: string;
let client: Client;
let service: Client;
beforeAll(async () => {
  server = await openTestDatabase();
  name = `svc_tags_${randomUUID().replaceAll('-', '')}`;
  await server.database.pool.query(`CREATE DATABASE ${name}`);
  [client, service] = [await connect(), await connect()];
});
afterAll(async () => {
  await Promise.all([client.end(), service.end()]);
  await server.database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await server.close();
});

async function connect(): Promise<Client> {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const options = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';
  const connection = new Client({ connectionString: url.href, options });
  await connection.connect();
  return connection;
}
/** Applies each file as one query, so as one transaction, like Prisma. */
async function apply(chosen: (name: string) => boolean): Promise<void> {
  for (const each of names.filter(chosen)) {
    await client.query(readFileSync(join(folder, each, 'migration.sql'), 'utf8'));
  }
}

const callAt = (at: number) => `req_01m80000${String(at).padStart(18, '0')}`;
const counts = ['input', 'cached_input', 'cache_write', 'output', 'reasoning'];
const usage = Object.fromEntries(counts.map((count) => [`${count}_tokens`, 0]));
const common = {
  organization_id: 'org_1',
  status: 'succeeded',
  cost_state: 'final',
  attempts: [],
  events: [],
};
const begun = {
  ...common,
  api_key_id: 'k',
  edge_instance_id: 'e',
  route: 'messages',
  model: 'm',
  stream: false,
};

/** Settles a call and begins the next one, as the version before does. */
async function book(at: number): Promise<unknown> {
  const ended = {
    ...common,
    ...usage,
    request_id: callAt(at),
    charge_nanos: 2,
    charge_id: `txn_${String(at)}`,
  };
  const next = { ...begun, request_id: callAt(at + 1), hold_min: 5, hold_max: 5 };
  const text = 'SELECT settled, held_nanos FROM book_calls($1::jsonb, $2::jsonb, $3::text[], true)';
  const values = [JSON.stringify([ended]), JSON.stringify([next]), ['org_1']];
  return (await service.query<object>({ name: 'book', text, values })).rows;
}

it('the migration to usage by tag goes on under a service of the version before, which counts every call', async () => {
  await apply((each) => each < FIRST);
  await client.query(`INSERT INTO organizations (id, name, updated_at) VALUES ('org_1', 'Acme', now())`);
  await client.query(
    `INSERT INTO wallets (organization_id, balance_nanos, held_nanos) VALUES ('org_1', 100000000, 0)`,
  );
  await book(0);
  let isMigrated = false;
  let at = 1;
  const booking = (async () => {
    // Often enough for PostgreSQL to keep a generic plan, and for some time after the end.
    for (let after = 0; after < 20; at++) {
      expect(await book(at)).toEqual([
        { settled: true, held_nanos: null },
        { settled: null, held_nanos: '5' },
      ]);
      if (isMigrated) after++;
    }
  })();
  await apply((each) => each >= FIRST);
  isMigrated = true;
  await booking;

  const { rows } = await client.query<object>(
    'SELECT tag, request_count::int, customer_nanos::int FROM usage_days',
  );
  expect(rows).toEqual([{ tag: '', request_count: at - 1, customer_nanos: 2 * (at - 1) }]);
  const { rows: keys } = await client.query<{ key: string }>(
    `SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = 'usage_days'::regclass AND contype = 'p'`,
  );
  expect(keys).toEqual([
    { key: 'PRIMARY KEY (organization_id, day, project_id, api_key_id, model, provider, tag)' },
  ]);
});
