import {
  auditEntries,
  historyPage,
  type HistoryQuery,
  type HistoryTable,
  readHistory,
  readUnsorted,
  SCAN_MAX,
} from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos, type Page } from '@svc/kernel';
import { ledgerTransfers } from '../wallet/wallet-reading';
import { requestRecords, RequestHistory } from './request-history';

const ROWS = 500_000;
const OTHER_ROWS = 100_000;
const RARE_ROW = 215_000;
const PARTITIONS = 4;
/** Owns the older six tenths of every table, and has no newer rows. */
const QUIET = 'org_06dpm2q4x8k3c0v9r7t5w1hzn1';
const BUSY = 'org_06dpm2q4x8k3c0v9r7t5w1hzn2';
const RARE_KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzn9';

const digits = (row: number): string => String(row).padStart(10, '0');
const requestId = (row: number): string => `req_${digits(row)}${'0'.repeat(16)}`;
/** The time in the id of the row with this number. */
const timeOf = (row: number): Date =>
  new Date(Number(Array.from(digits(row)).reduce((time, digit) => time * 32n + BigInt(digit), 0n)));

let test: TestDatabase;
let history: RequestHistory;

beforeAll(async () => {
  test = await openTestDatabase();
  history = new RequestHistory(test.database);
  // Replaces the first partition by four that share its rows.
  const part = ROWS / PARTITIONS;
  const partitions = Array.from(
    { length: PARTITIONS },
    (_, at) => `CREATE TABLE request_records_part_${String(at)} PARTITION OF request_records
      FOR VALUES FROM ('${requestId(at * part)}') TO ('${requestId((at + 1) * part)}')`,
  );
  // On a connection without time limits, because inserting the rows takes long.
  const session = await test.database.connectAlone();
  await session.query(['DROP TABLE request_records_first', ...partitions].join(';'));
  const insert = (table: string, rows: number, columns: string, values: string, prefix: string) =>
    session.query(
      `INSERT INTO ${table} (id, organization_id, ${columns})
       SELECT '${prefix}_' || lpad(i::text, 10, '0') || repeat('0', 16),
         CASE WHEN i < ${String(rows * 0.6)} THEN '${QUIET}' ELSE '${BUSY}' END, ${values}
       FROM generate_series(0, ${String(rows - 1)}) i`,
    );
  await insert(
    'request_records',
    ROWS,
    'api_key_id, edge_instance_id, route, model, stream, status, held_nanos, cost_state, finished_at',
    `CASE i WHEN ${String(RARE_ROW)} THEN '${RARE_KEY}' ELSE 'key_1' END, 'edge_1', 'messages', 'acme/small', false, 'succeeded',
     0, 'final', now()`,
    'req',
  );
  await insert(
    'ledger_transfers',
    OTHER_ROWS,
    'debit_account, credit_account, amount_nanos, kind, request_id',
    `'wallet:' || CASE WHEN i < ${String(OTHER_ROWS * 0.6)} THEN '${QUIET}' ELSE '${BUSY}' END, 'platform:revenue', 7,
     'charge', 'req_' || i`,
    'txn',
  );
  await insert(
    'audit_entries',
    OTHER_ROWS,
    'actor_type, action, target_type, target_id',
    `'system', 'project.update', 'project', 'proj_1'`,
    'aud',
  );
  await session.query('ANALYZE request_records, ledger_transfers, audit_entries');
});
afterAll(() => test.close());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const isOfLedger = (node: PlanNode): boolean => node['Relation Name'] === 'ledger_transfers';

async function planOf(table: HistoryTable, query: HistoryQuery): Promise<readonly PlanNode[]> {
  const [answer] = await readUnsorted<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    test.database.prisma,
    table,
    Prisma.sql`EXPLAIN (ANALYZE, FORMAT JSON) ${historyPage(table, query)}`,
  );
  return nodesOf(answer!['QUERY PLAN'][0]!.Plan);
}

const page = (before: string | null = null, limit = 20): Page => ({ limit, before });
const queryOf = (organizationId: string, more: Partial<HistoryQuery> = {}): HistoryQuery => ({
  organizationId,
  page: page(),
  within: {},
  conditions: [],
  ...more,
});

describe('a page of a history of half a million rows', () => {
  const oneKey = [Prisma.sql`api_key_id = ${RARE_KEY}`];
  it.each<[string, HistoryTable, HistoryQuery, number]>([
    // The newest row of each other month that has rows is read too.
    ['the newest', requestRecords, queryOf(BUSY), 21 + 1],
    ['the newest of who owns most and went quiet', requestRecords, queryOf(QUIET), 21 + 2],
    ['a later one', requestRecords, queryOf(QUIET, { page: page(requestId(70_000)) }), 21],
    [
      'that of a span of time',
      requestRecords,
      queryOf(QUIET, { within: { createdAfter: timeOf(99_990), createdBefore: timeOf(100_000) } }),
      10,
    ],
    [
      'one with a filter that nothing meets',
      requestRecords,
      queryOf(BUSY, { conditions: oneKey }),
      SCAN_MAX + 1,
    ],
    ['wallet transactions', ledgerTransfers, queryOf(QUIET), 21],
    ['audit entries', auditEntries, queryOf(QUIET), 21],
  ])('is one range of one index, or of that of each month: %s', async (_, table, query, rowsRead) => {
    const nodes = await planOf(table, query);
    const isPartitioned = table === requestRecords;
    const all = nodes.filter((node) => 'Relation Name' in node);
    const scans = all.filter((node) => !isPartitioned || !isOfLedger(node));
    // Only those of the page are looked up.
    for (const lookup of all.filter((node) => isPartitioned && isOfLedger(node))) {
      expect(lookup['Index Name']).toBe('ledger_transfers_request_id_kind_key');
      expect(lookup['Actual Loops']).toBeLessThanOrEqual(page().limit + 1);
    }
    // The current month's partition and the default one exist too.
    expect(scans.length).toBeGreaterThanOrEqual(isPartitioned ? PARTITIONS + 1 : 1);
    expect(nodes.some((node) => node['Node Type'] === 'Merge Append')).toBe(isPartitioned);
    for (const scan of scans) {
      expect(scan).toMatchObject({
        'Node Type': 'Index Scan',
        'Index Name': `${scan['Relation Name']!}_organization_id_id_idx`,
        'Index Cond': expect.stringContaining('ROW(organization_id, id) >= ROW('),
      });
      expect(scan).not.toHaveProperty('Filter');
    }
    expect(scans.reduce((rows, scan) => rows + scan['Actual Rows'], 0)).toBe(rowsRead);
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
  });

  it('gives up a search after so many rows, and the next page goes on there: nothing is missed or told twice', async () => {
    const found: string[] = [];
    const sizes: number[] = [];
    for (let before: string | null = null, more = true; more;) {
      const { items, hasMore, nextBefore } = await history.listRequests(QUIET, page(before, 2), {
        apiKeyIds: [RARE_KEY],
      });
      found.push(...items.map(({ id }) => id));
      sizes.push(items.length);
      before = nextBefore ?? items.at(-1)?.id ?? null;
      more = hasMore;
    }
    expect(found).toEqual([requestId(RARE_ROW)]);
    // 300,000 rows at 25,000 a page, and one page that finds no more.
    expect(sizes).toHaveLength(13);
  });

  it('ends a search where its time span ends', async () => {
    const within = { createdAfter: timeOf(RARE_ROW - 1_000), createdBefore: timeOf(RARE_ROW + 1) };
    const { items, hasMore } = await history.listRequests(QUIET, page(), {
      apiKeyIds: [RARE_KEY],
      ...within,
    });
    expect(items.map(({ id }) => id)).toEqual([requestId(RARE_ROW)]);
    expect(hasMore).toBe(false);
  });

  it('includes the first moment of its span, not the last, and tells the time by which it searched', async () => {
    const within = { createdAfter: timeOf(100), createdBefore: timeOf(103) };
    const { items } = await history.listRequests(QUIET, page(), within);
    expect(items.map(({ id }) => id)).toEqual([102, 101, 100].map(requestId));
    expect(items.map(({ createdAt }) => createdAt)).toEqual([102, 101, 100].map(timeOf));
  });

  it.each([
    ['before 1970', { createdBefore: new Date(-1) }],
    ['of the far future', { createdAfter: new Date('9999-12-31T23:59:59Z') }],
    ['that ends before it begins', { createdAfter: timeOf(200), createdBefore: timeOf(100) }],
  ])('is empty for a span %s', async (_, within) => {
    expect(await history.listRequests(QUIET, page(), within)).toEqual({ items: [], hasMore: false });
  });

  it('holds nothing of others where an organization has nothing', async () => {
    for (const none of ['org_0', 'org_06dpm2q4x8k3c0v9r7t5w1hzn', 'org_z']) {
      expect(await readHistory(test.database, requestRecords, queryOf(none))).toEqual({
        items: [],
        hasMore: false,
      });
    }
  });

  it('reads a record as it was settled', async () => {
    expect(await history.findRequest(QUIET, requestId(RARE_ROW))).toMatchObject({
      organizationId: QUIET,
      apiKeyId: RARE_KEY,
      projectId: null,
      status: 'succeeded',
      attempts: [],
      customerNanos: nanos(0),
      createdAt: timeOf(RARE_ROW),
    });
    expect(await history.findRequest(BUSY, requestId(RARE_ROW))).toBeNull();
  });
});
