import { eventually } from '@svc/testing';
import { catalogOf } from '../harness/catalog-file';
import { sleep } from '../harness/sleep';
import { startInstallation, type Installation, type ServiceProcess } from '../harness/installation';
import { type LedgerAudit } from '../harness/ledger-audit';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { callApi } from '../oauth/oauth-app';
import { expectBooksHold } from './invariants';
import { keyedCalls, mixedCalls, newKeys, sessionLookups } from './lanes';
import { expectBalanced, expectChargedOnce, openBooks } from './proven-books';
import { printTable, seconds } from './recovery-report';
import { OK, outcomesOf, SteadyLoad, type WholeAnswer } from './steady-load';
import { newKey, newTenant, of, type Tenant } from './tenant';
import { WebhookReceiver } from './webhook-receiver';

/** Set a higher value for a longer manual run. */
const DOWN_MS = Number(process.env.SVC_FAULT_SECONDS ?? 2) * 1000;
const LANES_EACH = Number(process.env.SVC_FAULT_LANES ?? 2);
const ENDPOINTS = 2;
const CREDIT = 10n ** 12n;
/** The lease of the dead process, and the worker's next run after it (docs/decisions/0003). */
const HOLDS_FREED_MS = 90_000;

let simulator: Simulator;
let receiver: WebhookReceiver;
let svc: Installation;
describe('kill -9 under load', () => {
  beforeAll(async () => {
    simulator = await startSimulator();
    receiver = await WebhookReceiver.start();
    svc = await startInstallation({
      edges: 2,
      dispatchers: 2,
      workers: 2,
      catalog: catalogOf({ name: 'only', url: simulator.url }),
      env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true', SVC_WEBHOOK_RETRY_DELAYS: '1,1,1,1,1' },
    });
  });
  afterAll(async () => {
    await svc.stop();
    await simulator.stop();
    await receiver.close();
  });

  const load = new SteadyLoad();
  const answers: WholeAnswer[] = [];
  const keyedAnswers: WholeAnswer[] = [];
  const keysMade = new Map<string, number>();
  let tenant: Tenant;
  let keyed: Tenant;
  let books: LedgerAudit;
  let keyedBooks: LedgerAudit;

  beforeAll(async () => {
    [tenant, keyed] = await Promise.all([newTenant(svc, CREDIT), newTenant(svc, CREDIT)]);
    [books, keyedBooks] = [await openBooks(svc, tenant), await openBooks(svc, keyed)];
    for (let nth = 0; nth < ENDPOINTS; nth++) {
      const endpoint = { url: `${receiver.url}/${String(nth)}`, event_types: ['api_key.created'] };
      of(201, await callApi(svc.baseUrl, 'POST', '/api/v1/webhook-endpoints', tenant.apiKey, endpoint));
    }
    const { secret: apiKey } = await newKey(svc, tenant);
    const { secret: keyedKey } = await newKey(svc, keyed);
    const { baseUrl } = svc;
    for (let lane = 0; lane < LANES_EACH; lane++) {
      for (const [nth, { url }] of svc.edges.entries()) {
        const tryOnce = mixedCalls({ baseUrl: url, apiKey }, answers);
        load.start({ name: `edge ${String(nth)}`, pauseMs: 30, tryOnce });
      }
      load.start({ name: 'proxy', pauseMs: 30, tryOnce: mixedCalls({ baseUrl, apiKey }, answers) });
      const tryOnce = keyedCalls({ baseUrl, apiKey: keyedKey }, keyedAnswers, `lane-${String(lane)}`);
      load.start({ name: 'keyed', pauseMs: 100, tryOnce });
    }
    load.start({
      name: 'management',
      pauseMs: 100,
      tryOnce: newKeys({ baseUrl, apiKey: tenant.apiKey }, keysMade),
    });
    load.start({ name: 'auth', pauseMs: 100, tryOnce: await sessionLookups(svc) });
    await sleep(2_000);
  });
  afterAll(async () => {
    await load.stop();
    await books.close();
    await keyedBooks.close();
  });

  const undelivered = (untilMs: number) =>
    [...keysMade].filter(([id, atMs]) => atMs < untilMs && receiver.firstOf(id).size < ENDPOINTS);

  interface Fault {
    readonly name: string;
    readonly processes: () => readonly ServiceProcess[];
    /** The lane whose recovery is measured. */
    readonly lane: string;
    /** The lanes that must go on meanwhile. */
    readonly unaffected: readonly string[];
  }
  const faults: readonly Fault[] = [
    {
      name: 'one edge of two',
      processes: () => svc.edges.slice(0, 1),
      lane: 'edge 0',
      unaffected: ['edge 1', 'proxy', 'management', 'auth'],
    },
    { name: 'both edges', processes: () => svc.edges, lane: 'edge 1', unaffected: ['management', 'auth'] },
    {
      name: 'management',
      processes: () => [svc.management],
      lane: 'management',
      unaffected: ['edge 0', 'edge 1', 'proxy', 'auth'],
    },
    {
      name: 'auth',
      processes: () => [svc.auth],
      lane: 'auth',
      unaffected: ['edge 0', 'edge 1', 'proxy', 'management'],
    },
    {
      name: 'one dispatcher of two',
      processes: () => svc.dispatchers.slice(0, 1),
      lane: 'management',
      unaffected: ['edge', 'proxy', 'management', 'auth'],
    },
    {
      name: 'both dispatchers',
      processes: () => svc.dispatchers,
      lane: 'management',
      unaffected: ['edge', 'proxy', 'management', 'auth'],
    },
    {
      name: 'one worker of two',
      processes: () => svc.workers.slice(0, 1),
      lane: 'management',
      unaffected: ['edge', 'proxy', 'management', 'auth'],
    },
    {
      name: 'both workers',
      processes: () => svc.workers,
      lane: 'management',
      unaffected: ['edge', 'proxy', 'management', 'auth'],
    },
  ];
  const table: Record<string, string | number>[] = [];
  afterAll(() => {
    printTable(`kill -9 under load, each down for ${seconds(DOWN_MS)}; times since the new start`, table);
  });

  it.each(faults)(
    '$name: what it did goes on when it is back',
    async ({ name, processes, lane, unaffected }) => {
      const killedAtMs = performance.now();
      await Promise.all(processes().map((service) => service.kill()));
      await sleep(DOWN_MS);
      const startedAtMs = performance.now();
      await Promise.all(processes().map((service) => service.start()));
      const readyMs = performance.now() - startedAtMs;
      const firstSuccessMs = await load.recovery(lane, startedAtMs);
      const late = undelivered(startedAtMs);
      const drainedMs = await eventually(() => {
        expect(undelivered(startedAtMs)).toEqual([]);
        const lastOf = (id: string) => Math.max(...receiver.firstOf(id).values());
        return Math.max(0, ...late.map(([id]) => lastOf(id) - startedAtMs));
      }, 90_000);

      const during = load.after('', killedAtMs, startedAtMs);
      table.push({
        killed: name,
        ready: seconds(readyMs),
        'first success': seconds(firstSuccessMs),
        'late events': late.length,
        'last of them': seconds(drainedMs),
        'tries while down': JSON.stringify(outcomesOf(during)),
      });
      await expectBooksHold(svc, { timeoutMs: HOLDS_FREED_MS });
      for (const other of unaffected) {
        const outcomes = outcomesOf(load.after(other, killedAtMs, startedAtMs));
        // The proxy notices a dead edge by a failed call to it.
        if (other === 'proxy') expect(outcomes[OK] ?? 0).toBeGreaterThan(0);
        else expect({ other, outcomes }).toEqual({ other, outcomes: { [OK]: expect.any(Number) as number } });
      }
    },
  );

  it('nothing is lost, and nothing is charged twice', async () => {
    await load.stop();
    await eventually(() => {
      expect(undelivered(Infinity)).toEqual([]);
    }, 60_000);
    await expectBalanced(books, HOLDS_FREED_MS);
    await expectChargedOnce(books, answers);
    expect(answers.length).toBeGreaterThan(0);

    // A crash of the dispatcher may repeat a delivery, but not create another: there is one per event and endpoint.
    const deliveries = [...receiver.byDelivery().values()];
    const places = deliveries.map(([first]) => `${first?.eventId ?? ''} ${first?.endpoint ?? ''}`);
    expect(new Set(places).size).toBe(deliveries.length);
    for (const sent of deliveries) expect(new Set(sent.map(({ eventId }) => eventId)).size).toBe(1);
    const repeated = deliveries.filter(({ length }) => length > 1);
    process.stderr.write(
      `process faults: ${String(answers.length)} answers, ${String(keyedAnswers.length)} by key, ${String(keysMade.size)} events, ` +
        `${String(deliveries.length)} deliveries, ${String(repeated.length)} sent twice\n`,
    );
    expect(repeated.filter(({ length }) => length > 2)).toEqual([]);
  });

  it('what was retried with its idempotency key is charged once', async () => {
    await expectBalanced(keyedBooks, HOLDS_FREED_MS);
    await expectChargedOnce(keyedBooks, keyedAnswers);
    const charged = (await keyedBooks.calls()).filter(({ customerNanos }) => customerNanos > 0n);
    const answered = new Set(keyedAnswers.map(({ id }) => id));
    expect(answered.size).toBe(keyedAnswers.length);
    // The last call of a lane may have been charged, and cut before its caller received it whole.
    const unanswered = charged.filter(({ id }) => !answered.has(id));
    expect(unanswered.length).toBeLessThanOrEqual(LANES_EACH);
    await expectBooksHold(svc);
  });
});
