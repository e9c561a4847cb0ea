import { ChangeFeed, type Change } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { createLogger } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { addEdge, credentialReport, refusedReport } from '../testing';
import { CredentialReportStore, type CredentialReport } from './credential-report-store';

const MINUTE_MS = 60_000;
const HERE = 'acme/small|acme|eu|small-1';
const THERE = 'acme/large|acme|eu|large-1';

let test: TestDatabase;
let store: CredentialReportStore;
beforeEach(async () => {
  test = await emptyTestDatabase();
  store = new CredentialReportStore(test.database);
  for (const id of ['edge_1', 'edge_2']) await addEdge(test.database, id);
});
afterEach(() => test.close());

const report = (changes: Partial<CredentialReport> = {}): CredentialReport =>
  credentialReport({ endpointId: HERE, ...changes });
const cooling = (changes: Partial<CredentialReport> = {}) =>
  report({ rest: 'rate_limit', restsForMs: 10 * MINUTE_MS, trialInMs: MINUTE_MS, ...changes });
const refused = refusedReport();
const health = async (healthEpoch = 0) => (await store.healthOf([{ id: 'cred_1', healthEpoch }]))[0];

describe('the health of a credential', () => {
  it('is ok where no edge has reported it', async () => {
    expect(await store.healthOf([])).toEqual([]);
    expect(await health()).toEqual({ health: 'ok', retryAt: null, cooling: [], headroomBps: null });
  });

  it('is cooling at the endpoints that a live edge last reported so', async () => {
    await store.write('edge_1', [cooling(), report({ endpointId: THERE })]);
    const found = await health();
    expect(found).toMatchObject({ health: 'cooling', cooling: [{ endpointId: HERE }] });
    expect(found!.retryAt!.getTime()).toBeLessThan(found!.cooling[0]!.until.getTime());
    await store.write('edge_2', [report()]);
    expect(await health()).toMatchObject({ health: 'ok', cooling: [], retryAt: null });
  });

  it('is ok once the rest is over', async () => {
    await store.write('edge_1', [cooling({ restsForMs: 0, trialInMs: 0 })]);
    expect(await health()).toMatchObject({ health: 'ok', cooling: [] });
  });

  it('is refused until an edge reports that it is not', async () => {
    await store.write('edge_1', [cooling(), refused]);
    expect(await health()).toMatchObject({ health: 'refused', retryAt: expect.any(Date) as Date });
    await store.write('edge_1', [{ ...refused, rest: null, trialInMs: null }, report()]);
    expect(await health()).toMatchObject({ health: 'ok' });
  });

  it('is forgotten with its epoch, and with the edge that reported it last', async () => {
    await store.write('edge_1', [refused]);
    expect(await health(1)).toMatchObject({ health: 'ok' });
    await store.write('edge_2', [refused]);
    await test.database.prisma.edgeInstance.delete({ where: { id: 'edge_1' } });
    expect(await health()).toMatchObject({ health: 'refused' });
    await test.database.prisma.edgeInstance.delete({ where: { id: 'edge_2' } });
    expect(await health()).toMatchObject({ health: 'ok' });
  });

  it('is not replaced by that of an earlier epoch', async () => {
    await store.write('edge_1', [{ ...refused, healthEpoch: 1 }]);
    await store.write('edge_2', [{ ...refused, rest: null, trialInMs: null }]);
    expect(await health(1)).toMatchObject({ health: 'refused' });
  });

  it('can be reported by several edges at once', async () => {
    const reports = Array.from({ length: 50 }, (_, at) => report({ credential: `cred_${String(at)}` }));
    await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        store.write(at % 2 === 0 ? 'edge_1' : 'edge_2', at % 2 === 0 ? reports : reports.toReversed()),
      ),
    );
    expect(await health()).toMatchObject({ health: 'ok' });
  });

  it('has the least headroom that is known of its endpoints', async () => {
    const room = (headroomBps: number, headroomForMs = MINUTE_MS) => ({ headroomBps, headroomForMs });
    await store.write('edge_1', [report(room(700)), report({ endpointId: THERE, ...room(400) })]);
    expect(await health()).toMatchObject({ headroomBps: 400 });
    await store.write('edge_1', [report({ endpointId: THERE, ...room(400, 0) })]);
    expect(await health()).toMatchObject({ headroomBps: 700 });
  });
});

describe('edges', () => {
  it('are told of what is news, and of nothing else', async () => {
    const told: Change[] = [];
    const feed = new ChangeFeed({
      database: test.database,
      logger: createLogger({ service: 'spec', level: 'silent' }),
      tell: (change) => void told.push(change),
    });
    feed.start();
    try {
      await eventually(() => {
        expect(told).toHaveLength(1);
      });
      await store.write('edge_1', [cooling(), cooling({ credential: 'env:acme/ACME_KEY' })]);
      await store.write('edge_1', [cooling({ isNews: true }), { ...refused, isNews: true }]);
      await eventually(() => {
        expect(told).toHaveLength(3);
      });
      expect(told.slice(1)).toEqual([
        {
          of: 'credentialHealth',
          edgeInstanceId: 'edge_1',
          credential: 'cred_1',
          healthEpoch: 0,
          endpointId: HERE,
          rest: 'rate_limit',
          restsForMs: 10 * MINUTE_MS,
          trialInMs: MINUTE_MS,
        },
        {
          of: 'credentialHealth',
          edgeInstanceId: 'edge_1',
          credential: 'cred_1',
          healthEpoch: 0,
          endpointId: null,
          rest: 'refused',
          restsForMs: null,
          trialInMs: 5 * MINUTE_MS,
        },
      ]);
    } finally {
      await feed.stop();
    }
  });
});
