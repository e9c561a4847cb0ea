import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { EdgeInstanceStore } from '@svc/ledger/store';
import { CircuitReportStore, type CircuitReport } from './circuit-report-store';

const MINUTE_MS = 60_000;

let test: TestDatabase;
let reports: CircuitReportStore;
let edges: EdgeInstanceStore;
beforeEach(async () => {
  test = await emptyTestDatabase();
  reports = new CircuitReportStore(test.database);
  edges = new EdgeInstanceStore(test.database);
  for (const id of ['edge_1', 'edge_2']) await edges.renewEdgeInstance(id, MINUTE_MS);
});
afterEach(() => test.close());

const open = (forMs: number, plannedAgoMs = 0): CircuitReport => ({
  endpointId: 'acme/small|acme|eu|small-1',
  model: 'acme/small',
  provider: 'acme',
  openForMs: forMs,
  trialInMs: 30_000,
  plannedAgoMs,
  plain: null,
  stream: null,
});
const closed = (plannedAgoMs = 0): CircuitReport => ({
  ...open(0, plannedAgoMs),
  openForMs: null,
  trialInMs: null,
});

interface Judged {
  readonly state: string;
  /** Seconds. */
  readonly openFor: number | null;
}

async function judged(): Promise<Judged | undefined> {
  const { rows } = await test.database.pool.query<Judged>(
    `SELECT state, round(extract(epoch FROM now() - open_since))::int AS "openFor" FROM endpoint_circuits
     WHERE endpoint_id = 'acme/small|acme|eu|small-1' AND model = 'acme/small' AND provider = 'acme'`,
  );
  return rows[0];
}

describe('the circuit of an endpoint', () => {
  it('is open where all live edges have it open, since the latest time', async () => {
    await reports.write('edge_1', [open(400_000)]);
    expect(await judged()).toEqual({ state: 'open', openFor: 400 });
    await reports.write('edge_2', [open(100_000)]);
    expect(await judged()).toEqual({ state: 'open', openFor: 100 });
  });

  it('is closed where one live edge has it closed', async () => {
    await reports.write('edge_1', [open(400_000)]);
    await reports.write('edge_2', [closed()]);
    expect(await judged()).toEqual({ state: 'closed', openFor: null });
  });

  it('is judged by those only that planned with it in the last 10 minutes, and unknown without any', async () => {
    await reports.write('edge_1', [open(900_000, 9 * MINUTE_MS)]);
    await reports.write('edge_2', [closed(11 * MINUTE_MS)]);
    expect(await judged()).toEqual({ state: 'open', openFor: 900 });
    await reports.write('edge_1', [open(900_000, 11 * MINUTE_MS)]);
    expect(await judged()).toEqual({ state: 'unknown', openFor: null });
  });

  it('is not judged by an edge that is gone', async () => {
    await reports.write('edge_1', [open(50_000)]);
    await reports.write('edge_2', [closed()]);
    await edges.removeEdgeInstance('edge_2');
    expect(await judged()).toEqual({ state: 'open', openFor: 50 });
    await edges.renewEdgeInstance('edge_1', -1);
    expect(await judged()).toEqual({ state: 'unknown', openFor: null });
  });

  it('is not listed where no edge ever planned with it', async () => {
    expect(await judged()).toBeUndefined();
  });
});

describe('reports of circuits', () => {
  it('are replaced by those that follow, of these endpoints only', async () => {
    await reports.write('edge_1', [open(1_000), { ...open(1_000), endpointId: 'other' }]);
    await reports.write('edge_1', [closed(5_000)]);
    const rows = await test.database.prisma.circuitReport.findMany({ orderBy: { endpointId: 'asc' } });
    expect(rows).toMatchObject([{ openSince: null }, { endpointId: 'other', openSince: expect.any(Date) }]);
  });
});
