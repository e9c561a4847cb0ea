import { parseCatalog } from '@svc/catalog';
import { type CircuitReport } from '@svc/usage/store';
import { createLogger } from '@svc/runtime/observability';
import { eventually, FakeClock } from '@svc/testing';
import { Circuits } from '../dispatch/circuits';
import { MeasuredEndpoints } from '../dispatch/endpoint-figures';
import { catalogOf } from '../testing/edge-under-test';
import { WrittenReports } from '../testing/written-reports';
import { CircuitReporter } from './circuit-reporter';

const NEVER_MS = 2 ** 30;
const logger = createLogger({ service: 'test', level: 'silent' });
const catalog = parseCatalog(catalogOf(['http://first.test', 'http://second.test']), { file: '', env: {} });
const [firstEndpoint, secondEndpoint] = [...catalog.models.values()].flatMap(({ endpoints }) => endpoints);
const FIRST = firstEndpoint?.id ?? '';
const SECOND = secondEndpoint?.id ?? '';

let clock: FakeClock;
let circuits: Circuits;
let figures: MeasuredEndpoints;
let written: WrittenReports<CircuitReport>;
let reporter: CircuitReporter;
beforeEach(() => {
  clock = new FakeClock(1_000_000);
  circuits = new Circuits(clock);
  figures = new MeasuredEndpoints();
  written = new WrittenReports();
});
afterEach(() => reporter.stop());

function start(reportEveryMs: number): void {
  reporter = new CircuitReporter({
    store: written,
    circuits,
    figures,
    catalog: { current: () => catalog },
    edgeInstanceId: 'edge_1',
    clock,
    logger,
    reportEveryMs,
  });
  reporter.start();
}
const open = (id: string): void => {
  for (let call = 0; call < 5; call++) circuits.failed(id);
};

describe('a reporter of circuits', () => {
  it('tells at once that a circuit opened and closed, with ages', async () => {
    start(NEVER_MS);
    circuits.openForPlan.has(FIRST);
    clock.advance(2_000);
    open(FIRST);
    await eventually(() => expect(written.all).toHaveLength(1));
    expect(written.all[0]).toEqual([
      {
        endpointId: FIRST,
        model: 'acme/small',
        provider: 'upstream-1',
        openForMs: 0,
        trialInMs: 30_000,
        plannedAgoMs: 2_000,
        plain: null,
        stream: null,
      },
    ]);
    circuits.succeeded(FIRST);
    await eventually(() => expect(written.all[1]).toMatchObject([{ openForMs: null, trialInMs: null }]));
  });

  it('tells again only of endpoints that were planned with since', async () => {
    circuits.openForPlan.has(FIRST);
    circuits.openForPlan.has(SECOND);
    start(5);
    await eventually(() => expect(written.all[0]).toHaveLength(2));
    clock.advance(1_000);
    circuits.openForPlan.has(SECOND);
    await eventually(() => expect(written.all[1]).toMatchObject([{ endpointId: SECOND, plannedAgoMs: 0 }]));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(written.all).toHaveLength(2);
  });

  it('tells at once that an endpoint was first measured, and later of the next measurements', async () => {
    circuits.openForPlan.has(FIRST);
    start(50);
    await eventually(() => expect(written.all).toHaveLength(1));
    figures.answered(firstEndpoint!, 10, 200);
    await eventually(() => expect(written.all).toHaveLength(2));
    expect(written.all[1]).toMatchObject([
      { endpointId: FIRST, plain: { latencyMs: 200, tokensPerSecond: 50 }, stream: null },
    ]);
    expect(written.all[1]?.[0]?.plain?.measuredAgoMs).toBeLessThan(60_000);
    figures.began(firstEndpoint!, 80);
    figures.answered(firstEndpoint!, null, 300);
    await eventually(() =>
      expect(written.all.at(-1)).toMatchObject([
        { plain: { latencyMs: 220, tokensPerSecond: 50 }, stream: { latencyMs: 80, tokensPerSecond: null } },
      ]),
    );
  });

  it('tells later what it could not tell', async () => {
    written.failures = 2;
    circuits.openForPlan.has(FIRST);
    start(5);
    await eventually(() => expect(written.all).toMatchObject([[{ endpointId: FIRST }]]));
  });

  it('leaves out what the catalog has no more', async () => {
    circuits.openForPlan.has('acme/gone|acme|eu|gone-1');
    circuits.openForPlan.has(FIRST);
    start(5);
    await eventually(() => expect(written.all).toMatchObject([[{ endpointId: FIRST }]]));
  });

  it('never tells a time in the future, whatever the clock does', async () => {
    circuits.openForPlan.has(FIRST);
    open(FIRST);
    clock.advance(-60_000);
    start(5);
    await eventually(() => expect(written.all[0]).toMatchObject([{ openForMs: 0, plannedAgoMs: 0 }]));
  });
});
