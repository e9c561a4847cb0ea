import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { EdgeInstanceStore } from '@svc/ledger/store';
import { CircuitReportStore, type CircuitReport } from './circuit-report-store';
import { EdgeFactsStore } from './edge-facts-store';

const MINUTE_MS = 60_000;
const ID = 'acme/small|acme|eu|small-1';

let test: TestDatabase;
let reports: CircuitReportStore;
let edges: EdgeInstanceStore;
let facts: EdgeFactsStore;
beforeEach(async () => {
  test = await emptyTestDatabase();
  reports = new CircuitReportStore(test.database);
  edges = new EdgeInstanceStore(test.database);
  facts = new EdgeFactsStore(test.database);
  await edges.renewEdgeInstance('edge_1', MINUTE_MS, ['acme']);
  await edges.renewEdgeInstance('edge_2', MINUTE_MS, ['acme', 'other']);
});
afterEach(() => test.close());

const report = (changes: Partial<CircuitReport> = {}): CircuitReport => ({
  endpointId: ID,
  model: 'acme/small',
  provider: 'acme',
  openForMs: null,
  trialInMs: null,
  plannedAgoMs: 0,
  plain: null,
  stream: null,
  ...changes,
});
const known = async () => (await facts.read()).endpoints.get(ID);

describe('the facts of edges', () => {
  it('have the providers that a live edge has a credential for, as it last said', async () => {
    expect((await facts.read()).platformProviders).toEqual(new Set(['acme', 'other']));
    await edges.renewEdgeInstance('edge_2', MINUTE_MS, []);
    expect((await facts.read()).platformProviders).toEqual(new Set(['acme']));
    await edges.renewEdgeInstance('edge_1', -1, ['acme']);
    expect((await facts.read()).platformProviders).toEqual(new Set());
  });

  it('say nothing of an endpoint that no live edge has planned with in the last 10 minutes', async () => {
    expect(await known()).toBeUndefined();
    await reports.write('edge_1', [report({ plannedAgoMs: 11 * MINUTE_MS })]);
    await reports.write('edge_of_the_past', [report()]);
    expect(await known()).toBeUndefined();
    await reports.write('edge_2', [report()]);
    expect(await known()).toMatchObject({ isOpen: false, reportedAt: expect.any(Date) as Date });
  });

  it('leave an endpoint out while all of them do, until a trial call may pass', async () => {
    const open = report({ openForMs: 40_000, trialInMs: 20_000 });
    await reports.write('edge_1', [open]);
    expect(await known()).toMatchObject({ isOpen: true });
    await reports.write('edge_2', [report()]);
    expect(await known()).toMatchObject({ isOpen: false });
    await reports.write('edge_2', [{ ...open, trialInMs: 0 }]);
    expect(await known()).toMatchObject({ isOpen: false });
    await reports.write('edge_2', [open]);
    expect(await known()).toMatchObject({ isOpen: true });
  });

  it('have the mean speed over the edges that measured it in the last 5 minutes', async () => {
    const measured = (latencyMs: number, measuredAgoMs = 0) => ({
      latencyMs,
      tokensPerSecond: null,
      measuredAgoMs,
    });
    await reports.write('edge_1', [report({ plain: measured(100) })]);
    expect(await known()).toMatchObject({
      plain: { latencyMs: 100, tokensPerSecond: null },
      stream: { latencyMs: null, tokensPerSecond: null },
    });
    await reports.write('edge_2', [report({ plain: measured(300), stream: measured(50) })]);
    expect(await known()).toMatchObject({ plain: { latencyMs: 200 }, stream: { latencyMs: 50 } });
    await reports.write('edge_2', [report({ plain: measured(300, 6 * MINUTE_MS) })]);
    expect(await known()).toMatchObject({ plain: { latencyMs: 100 }, stream: { latencyMs: null } });
  });
});
