import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { formatId, ID_ENTROPY_BYTES, nanos } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { holdOf, settlementOf, UNOBSERVED } from '../../testing/ledger-world';
import { LedgerStore } from './ledger-store';
import { type Settlement, settlementRow } from './settlement';
import { WalletStore } from './wallet-store';

const MONTHS = ['2091-01', '2091-02', '2091-03', '2091-04'];
const organizationId = 'org_1';

let test: TestDatabase;
let ledger: LedgerStore;
beforeAll(async () => {
  test = await openTestDatabase();
  ledger = new LedgerStore(test.database);
  for (const month of MONTHS) {
    await test.database.pool.query('SELECT make_request_month($1)', [`${month}-01T00:00:00Z`]);
  }
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await new WalletStore(test.database).credit(organizationId, nanos(1_000_000), 'test');
});
afterAll(() => test.close());

const idIn = (month: string, unique: number): string =>
  formatId('request', Date.parse(`${month}-10T00:00:00Z`), new Uint8Array(ID_ENTROPY_BYTES).fill(unique));

const hold = (requestId: string) =>
  ledger.openHold(holdOf(organizationId, 10, { requestId, route: 'messages' }));
const ended = (requestId: string): Settlement => settlementOf({ requestId, organizationId }, 7, UNOBSERVED);
const settle = (requestId: string): Promise<boolean> => ledger.settle(ended(requestId));

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}
const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/**
 * The plan by which `settle_calls` would settle these calls: its own text, with its own settings and those of the
 * connection.
 */
async function planOfSettling(ids: readonly string[]): Promise<readonly PlanNode[]> {
  const connection = await test.database.books.connect();
  const { rows } = await connection.query<{ source: string; settings: string[] }>(
    `SELECT prosrc AS source, proconfig AS settings FROM pg_proc WHERE proname = 'settle_calls'`,
  );
  const { source, settings } = rows[0]!;
  for (const setting of settings) await connection.query(`SET ${setting}`);
  const update = source.slice(source.indexOf('WITH settlement AS'), source.indexOf(', paid AS ('));
  const batch = ids.map((id) => settlementRow(ended(id), systemIds));
  await connection.query(
    `PREPARE settling (jsonb) AS ${update.replaceAll('(batch)', '($1)')} SELECT FROM ended`,
  );
  await connection.query('BEGIN');
  const answer = await connection.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE settling ('${JSON.stringify(batch)}')`,
  );
  await connection.query('ROLLBACK');
  // Closes the connection, because its settings were changed.
  connection.release(true);
  return nodesOf(answer.rows[0]!['QUERY PLAN'][0]!.Plan);
}

describe('a settlement over the months of the request log', () => {
  const calls = [idIn('2091-02', 1), idIn('2091-02', 2), idIn('2091-04', 1)];
  const looksUpEachInItsMonth = async () => {
    const nodes = await planOfSettling(calls);
    const heaps = nodes.filter((node) => node['Node Type'] === 'Bitmap Heap Scan');
    expect(heaps.length).toBeGreaterThan(MONTHS.length);
    const executed = heaps.filter((scan) => scan['Actual Loops'] > 0);
    expect(executed.map((scan) => [scan['Relation Name'], scan['Actual Loops']])).toEqual([
      ['request_records_2091_02', 2],
      ['request_records_2091_04', 1],
    ]);
    const lookups = nodes.filter((node) => 'Index Name' in node);
    expect(lookups).toHaveLength(heaps.length);
    for (const lookup of lookups) expect(lookup['Index Cond']).toContain('id = s.request_id');
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  };

  it('looks up each call in its own month, by its id, where the log has been empty', async () => {
    await test.database.pool.query('VACUUM ANALYZE request_records');
    await Promise.all(calls.map(hold));
    await looksUpEachInItsMonth();
  });

  it('looks up each call in its own month, by its id, where months have few calls', async () => {
    await test.database.pool.query(
      `INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, status, held_nanos,
         cost_state, finished_at)
       SELECT left(request_id_at(month), 20) || lpad(i::text, 10, '0'), $1, 'key_1', 'edge_1', 'messages', 'acme/small',
         false, 'succeeded', 0, 'final', now()
       FROM unnest($2::timestamptz[]) AS month, generate_series(1, 500) i`,
      [organizationId, MONTHS.map((month) => new Date(`${month}-02T00:00:00Z`))],
    );
    await test.database.pool.query('VACUUM ANALYZE request_records');
    await looksUpEachInItsMonth();
  });

  it('ends calls of several months, and of one without a partition, in one batch', async () => {
    const ids = [...MONTHS, '2091-09'].map((month) => idIn(month, 9));
    await Promise.all(ids.map(hold));
    expect(await Promise.all(ids.map(settle))).toEqual(ids.map(() => true));
    expect(await Promise.all(ids.map(settle))).toEqual(ids.map(() => false));
    const records = await test.database.prisma.requestRecord.findMany({ where: { id: { in: ids } } });
    expect(records.map(({ status, customerNanos }) => [status, customerNanos])).toEqual(
      ids.map(() => ['succeeded', 7n]),
    );
  });
});
