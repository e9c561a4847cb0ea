import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { openTestDatabase, type TestDatabase } from '../testing';
import { findWorkspace } from './migrate';

const folder = join(findWorkspace(__dirname), 'libs/persistence/prisma/migrations');
const FIRST = '20261122090000_request_months_check';
const LAST = '20261122090300_settle_in_its_month';
const SWAP = '20261122090200_request_months';
const names = readdirSync(folder)
  .filter((name) => name <= LAST)
  .sort();

let server: TestDatabase;
let name: string;
let client: Client;
beforeAll(async () => {
  server = await openTestDatabase();
});
afterAll(() => server.close());
afterEach(async () => {
  await client.end();
  await server.database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
});

/** An empty database of its own. */
async function open(options = ''): Promise<void> {
  name = `svc_months_${randomUUID().replaceAll('-', '')}`;
  await server.database.pool.query(`CREATE DATABASE ${name} ${options}`);
  client = await connect();
}
async function connect(): Promise<Client> {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const connection = new Client({ connectionString: url.href });
  await connection.connect();
  return connection;
}
/** Applies each file as one query, so as one transaction, like Prisma. */
async function apply(chosen: (name: string) => boolean): Promise<void> {
  for (const each of names.filter(chosen)) {
    await client.query(readFileSync(join(folder, each, 'migration.sql'), 'utf8'));
  }
}
const applyEarlier = () => apply((each) => each < FIRST);
const applyMonths = () => apply((each) => each >= FIRST);

const recordCalls = (from: number, count: number) =>
  client.query(
    `INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, held_nanos)
     SELECT 'req_01m80000' || lpad(i::text, 18, '0'), 'org_1', 'key_1', 'edge_1', 'messages', 'acme/small', false, 5
     FROM generate_series($1::int, $1 + $2 - 1) i`,
    [from, count],
  );
const rowsOf = async (sql: string): Promise<readonly unknown[]> => (await client.query<object>(sql)).rows;

describe('the migration to a request log by months', () => {
  it('keeps every row where it is, and all are found', async () => {
    await open();
    await applyEarlier();
    await recordCalls(0, 500);
    const stored = `SELECT xmin::text, ctid::text, * FROM request_records ORDER BY id`;
    const file = (table: string) => rowsOf(`SELECT pg_relation_filepath('${table}') AS file`);
    const [before, fileBefore] = [await rowsOf(stored), await file('request_records')];
    await applyMonths();
    expect(await rowsOf(stored)).toEqual(before);
    expect(await file('request_records_first')).toEqual(fileBefore);
    expect(await rowsOf('SELECT FROM request_records_first')).toHaveLength(500);
    expect(await rowsOf(`SELECT indexrelid FROM pg_index WHERE NOT indisvalid`)).toEqual([]);
  });

  it('reads no row while others wait: a check that was validated before says what the partition holds', async () => {
    await open();
    await applyEarlier();
    await recordCalls(0, 500);
    await apply((each) => each >= FIRST && each < SWAP);
    const notices: (string | undefined)[] = [];
    client.on('notice', ({ message }) => notices.push(message));
    await client.query('SET client_min_messages = debug1');
    await apply((each) => each === SWAP);
    expect(notices).toContain(
      'partition constraint for table "request_records_first" is implied by existing constraints',
    );
  });

  it('goes on under a service of the version before, with its prepared statements', async () => {
    await open();
    await applyEarlier();
    await client.query(`INSERT INTO organizations (id, name, updated_at) VALUES ('org_1', 'Acme', now())`);
    await client.query(
      `INSERT INTO wallets (organization_id, balance_nanos, held_nanos) VALUES ('org_1', 1000, 0)`,
    );
    const service = await connect();
    const callAt = (at: number) => `req_01m80000${String(at).padStart(18, '0')}`;
    const common = {
      organization_id: 'org_1',
      status: 'succeeded',
      cost_state: 'final',
      attempts: [],
      events: [],
    };
    const counts = ['input', 'cached_input', 'cache_write', 'output', 'reasoning'];
    const usage = Object.fromEntries(counts.map((count) => [`${count}_tokens`, 0]));
    const hold = { api_key_id: 'k', edge_instance_id: 'e', route: 'messages', model: 'm', stream: false };
    const book = async (at: number): Promise<unknown> => {
      const ended = {
        ...common,
        ...usage,
        request_id: callAt(at),
        charge_nanos: 2,
        charge_id: `txn_${String(at)}`,
      };
      const begun = { ...common, ...hold, request_id: callAt(at + 1), hold_min: 5, hold_max: 5 };
      const text = 'SELECT settled, held_nanos FROM book_calls($1::jsonb, $2::jsonb)';
      const values = [JSON.stringify([ended]), JSON.stringify([begun])];
      return (await service.query<object>({ name: 'book', text, values })).rows;
    };
    const booked = [
      { settled: true, held_nanos: null },
      { settled: null, held_nanos: '5' },
    ];
    await book(0);
    // Often enough for PostgreSQL to keep a generic plan.
    for (let at = 1; at < 10; at++) expect(await book(at)).toEqual(booked);
    await applyMonths();
    for (let at = 10; at < 20; at++) expect(await book(at)).toEqual(booked);
    expect(await rowsOf(`SELECT status, count(*)::int FROM request_records GROUP BY 1 ORDER BY 1`)).toEqual([
      { status: 'pending', count: 1 },
      { status: 'succeeded', count: 19 },
    ]);
    await service.end();
  });

  it('leaves budgets their view of what is reserved, over all months', async () => {
    await open();
    await applyEarlier();
    const definition = `SELECT pg_get_viewdef('budget_drift'::regclass) AS text`;
    const before = await rowsOf(definition);
    await applyMonths();
    expect(await rowsOf(definition)).toEqual(before);
  });

  it.each(['da', 'cs'])('is refused where ids do not sort by their time: in %s', async (language) => {
    await open(`LOCALE_PROVIDER icu ICU_LOCALE '${language}' TEMPLATE template0`);
    await applyEarlier();
    await expect(applyMonths()).rejects.toThrow('does not sort ids by their time');
    await recordCalls(0, 1);
  });

  it('is made where letters and digits sort as in English, whatever the collation', async () => {
    await open(`LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0`);
    await applyEarlier();
    await applyMonths();
    // Near its end the month of now shares the first partition with the next one.
    expect((await rowsOf('SELECT FROM request_months')).length).toBeGreaterThan(1);
  });
});
