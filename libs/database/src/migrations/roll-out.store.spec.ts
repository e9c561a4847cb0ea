import { Client } from 'pg';
import { openTestDatabase, type TestDatabase } from '../testing';
import { migrate, readSchema } from './migrate';

let test: TestDatabase;
let service: Client;
beforeAll(async () => {
  test = await openTestDatabase();
  const options = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';
  service = new Client({ connectionString: test.url, options });
  await service.connect();
  await test.database.pool.query(
    `INSERT INTO organizations (id, name, updated_at) VALUES ('org_1', 'Acme', now());
     INSERT INTO wallets (organization_id, balance_nanos, held_nanos) VALUES ('org_1', 100000000, 0)`,
  );
});
afterAll(async () => {
  await service.end();
  await test.close();
});

const callAt = (at: number) => `req_01m80000${String(at).padStart(18, '0')}`;
const counts = ['input', 'cached_input', 'cache_write', 'output', 'reasoning'];
const common = {
  ...{ organization_id: 'org_1', status: 'succeeded', cost_state: 'final', attempts: [], events: [] },
  ...Object.fromEntries(counts.map((count) => [`${count}_tokens`, 0])),
};
const begun = { api_key_id: 'k', edge_instance_id: 'e', route: 'messages', model: 'm', stream: false };

/** Settles a call and begins the next one, by the functions that only the version before calls (`sql/previous-version`). */
async function book(at: number): Promise<unknown> {
  const ended = { ...common, request_id: callAt(at), charge_nanos: 2, charge_id: `txn_${String(at)}` };
  const next = { ...common, ...begun, request_id: callAt(at + 1), hold_min: 5, hold_max: 5 };
  const text = 'SELECT settled, held_nanos FROM book_calls($1::jsonb, $2::jsonb)';
  const values = [JSON.stringify([ended]), JSON.stringify([next])];
  return (await service.query<object>({ name: 'book', text, values })).rows;
}

it('a roll-out goes on under a service of the version before, with its prepared statements', async () => {
  expect(await book(0)).toEqual([
    { settled: false, held_nanos: null },
    { settled: null, held_nanos: '5' },
  ]);
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
  const schema = readSchema();
  const column = { name: '9_planted', sql: 'ALTER TABLE request_records ADD COLUMN planted text' };
  const isCalled = /^(?:ledger|budgets|usage|previous-version)\//;
  const files = schema.files.map((file) =>
    isCalled.test(file.path) ? { ...file, text: `${file.text}-- Another text.` } : file,
  );
  const lines: string[] = [];
  const next = { version: '9.0.0', migrations: [...schema.migrations, column], files };
  await migrate(test.url, { schema: next, onLine: (line) => lines.push(line) });
  isMigrated = true;
  await booking;

  expect(lines).toEqual(
    expect.arrayContaining(['applied 9_planted', 'loaded previous-version/book_calls.sql']),
  );
  const { rows } = await test.database.pool.query(
    'SELECT request_count::int AS calls, customer_nanos::int AS nanos FROM usage_days',
  );
  expect(rows).toEqual([{ calls: at - 1, nanos: 2 * (at - 1) }]);
});

it('calls of the version before are settled by its own function as well', async () => {
  const { rows } = await service.query<{ id: string }>(
    `SELECT id FROM request_records WHERE status = 'pending'`,
  );
  const batch = rows.map(({ id }) => ({ ...common, request_id: id, charge_nanos: 0 }));
  const text = 'SELECT request_id, settled FROM settle_requests($1::jsonb)';
  const settled = await service.query(text, [JSON.stringify(batch)]);
  expect(settled.rows).toEqual(rows.map(({ id }) => ({ request_id: id, settled: true })));
  expect(rows).not.toEqual([]);
});
