import { eventually } from '@svc/testing';
import { sleep } from '../../harness/sleep';
import { makeReadOnly, pauseDatabase, type EndFault } from '../../harness/database-faults';
import { rowsOf } from '../../harness/database-session';
import { type LedgerAudit } from '../../harness/ledger-audit';
import { expectBooksHold } from '../invariants';
import { mixedCalls, newKeys, sessionLookups } from '../lanes';
import { expectBalanced, expectChargedOnce, openBooks } from '../proven-books';
import { printTable, seconds } from '../recovery-report';
import { outcomesOf, slowestOf, SteadyLoad, type WholeAnswer } from '../steady-load';
import { openCalls } from './calls-in-flight';
import { startFaultInstallation, type Caller, type FaultInstallation } from './fault-installation';

/** The lease of an edge: the worker takes an edge for dead once it lapses. Both faults last longer. */
const LEASE_MS = 30_000;
const READ_ONLY_MS = Number(process.env.SVC_READ_ONLY_SECONDS ?? 38) * 1000;
const PAUSED_MS = Number(process.env.SVC_PAUSED_SECONDS ?? 42) * 1000;
/** How long calls go on afterwards: the worker looks for dead edges every five seconds. */
const AFTER_MS = 8_000;
/** The longest wait of a caller, apart from delays of the machine itself. */
const ANSWER_MS_MAX = 5_000;
/** A call that began just before a fault may end either way. */
const JUST_BEFORE_MS = 1_000;
const IN_FLIGHT = 20;
const LOST = 4;
const LANES = 4;

let installation: FaultInstallation;
let load: SteadyLoad;
/** Calls all the time. */
let steady: Caller;
let steadyBooks: LedgerAudit;
/** Has calls in flight during the fault. */
let inFlightCaller: Caller;
let inFlightBooks: LedgerAudit;
const answers: WholeAnswer[] = [];
const table: Record<string, string | number>[] = [];

/** On both edges in turn. */
function startCalls(): void {
  for (let nth = 0; nth < LANES; nth++) {
    const tryOnce = mixedCalls(installation.at(steady)(nth), answers, {
      'svc-session-id': 'bad-installation',
    });
    load.start({ name: `edge ${String(nth % 2)}`, pauseMs: 50, tryOnce });
  }
}

interface Span {
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  /** By the machine's clock, which PostgreSQL uses too. */
  readonly endedAt: Date;
  /** The slowest call before the fault, on a machine that may be busy. */
  readonly slowestBeforeMs: number;
}

/** Runs `meanwhile` during a fault, and always ends the fault: a paused server could not be stopped. */
async function throughout(
  begin: () => Promise<EndFault>,
  lastsMs: number,
  meanwhile: () => Promise<void>,
): Promise<Span> {
  const slowestBeforeMs = slowestOf(load.tries);
  const end = await begin();
  const beganAtMs = performance.now();
  // The lanes from before wait for their settlement until the fault ends.
  startCalls();
  try {
    await meanwhile();
    await sleep(Math.max(0, beganAtMs + lastsMs - performance.now()));
    return { beganAtMs, endedAtMs: performance.now(), endedAt: new Date(), slowestBeforeMs };
  } finally {
    await end();
  }
}

/** Tries that began, and had to be answered, while the fault lasted. */
const triesDuring = (lane: string, { beganAtMs, endedAtMs }: Span) =>
  load.after(lane, beganAtMs + JUST_BEFORE_MS, endedAtMs - ANSWER_MS_MAX);

/** When calls in flight end: before the end of the fault, with it, and after it. */
const endsAround = (lastsMs: number) => (nth: number) =>
  [5_000, lastsMs / 2, lastsMs, lastsMs + 3_000][nth % 5] ?? lastsMs + AFTER_MS;

async function recovered(fault: string, span: Span): Promise<void> {
  const lanes = ['edge 0', 'management', 'auth'];
  const times = lanes.map(
    async (lane) => [lane, seconds(await load.recovery(lane, span.endedAtMs))] as const,
  );
  table.push({
    fault,
    lasted: seconds(span.endedAtMs - span.beganAtMs),
    ...Object.fromEntries(await Promise.all(times)),
    'calls meanwhile': JSON.stringify(outcomesOf(triesDuring('edge', span))),
    slowest: seconds(slowestOf(triesDuring('', span))),
  });
}

/** No answer is lost, none is charged twice, and refused calls hold nothing. */
async function booksAreRight(): Promise<void> {
  await load.stop();
  await expectBalanced(steadyBooks, 10_000);
  await expectChargedOnce(steadyBooks, answers);
  await expectBooksHold(installation.svc);
}

interface ClosedCall {
  readonly status: string;
  readonly error_code: string | null;
  readonly customer_nanos: string;
  readonly finished_at: Date | null;
}

/** All request records of a caller's organization. */
const recordsOf = ({ tenant }: Caller) =>
  rowsOf<ClosedCall>(
    installation.svc.databaseUrl,
    'SELECT status, error_code, customer_nanos, finished_at FROM request_records WHERE organization_id = $1',
    [tenant.organizationId],
  );

const closedAsLost = async (caller: Caller) =>
  (await recordsOf(caller)).filter(({ error_code }) => error_code === 'worker_lost');

describe('PostgreSQL in trouble for longer than a lease', () => {
  beforeAll(async () => {
    installation = await startFaultInstallation();
    [steady, inFlightCaller] = [await installation.newCaller(), await installation.newCaller()];
    [steadyBooks, inFlightBooks] = [
      await openBooks(installation.svc, steady.tenant),
      await openBooks(installation.svc, inFlightCaller.tenant),
    ];
  });
  beforeEach(async () => {
    const { svc } = installation;
    load = new SteadyLoad();
    startCalls();
    const management = newKeys({ baseUrl: svc.baseUrl, apiKey: steady.tenant.apiKey }, new Map());
    load.start({ name: 'management', pauseMs: 100, tryOnce: management });
    load.start({ name: 'auth', pauseMs: 100, tryOnce: await sessionLookups(svc) });
    await sleep(2_000);
  });
  afterEach(() => load.stop());
  afterAll(async () => {
    printTable('PostgreSQL in trouble under load; times since the end of it', table);
    await Promise.all([steadyBooks.close(), inFlightBooks.close()]);
    await installation.stop();
  });

  it('read-only, and the worker is killed meanwhile: each call in flight lives on, and is charged once', async () => {
    const { svc, servers } = installation;
    const calls = await openCalls(installation.at(inFlightCaller), inFlightBooks, {
      count: IN_FLIGHT,
      endAfterMs: endsAround(READ_ONLY_MS),
    });
    const span = await throughout(
      () => makeReadOnly(servers),
      READ_ONLY_MS,
      async () => {
        await sleep(READ_ONLY_MS / 2);
        await svc.workers[0]!.kill();
        // It knows about the outage only from the database.
        await svc.workers[0]!.start();
      },
    );
    const whole = await calls.answers();
    expect(new Set(whole.map(({ id }) => id)).size).toBe(IN_FLIGHT);
    expect(await closedAsLost(inFlightCaller)).toEqual([]);
    await expectBalanced(inFlightBooks);
    await expectChargedOnce(inFlightBooks, whole);

    await recovered('read-only', span);
    await booksAreRight();
    expect(await closedAsLost(steady)).toEqual([]);
    expect(Object.keys(outcomesOf(triesDuring('edge', span)))).toEqual(['503 overloaded']);
    expect(Object.keys(outcomesOf(triesDuring('management', span)))).toEqual(['503']);
    expect(slowestOf(triesDuring('', span))).toBeLessThan(ANSWER_MS_MAX + span.slowestBeforeMs);
  });

  it('paused, and an edge is killed meanwhile: its calls are closed a lease later, and all others are charged once', async () => {
    const { svc, servers } = installation;
    const dying = svc.edges[1]!;
    const lost = await installation.newCaller();
    const lostBooks = await openBooks(svc, lost.tenant);
    const before = (await inFlightBooks.calls()).length;
    const toLiving = () => installation.at(inFlightCaller)(0);
    const calls = await openCalls(toLiving, inFlightBooks, {
      count: IN_FLIGHT,
      endAfterMs: endsAround(PAUSED_MS),
    });
    const toDying = () => installation.at(lost)(1);
    await openCalls(toDying, lostBooks, { count: LOST, endAfterMs: () => PAUSED_MS + AFTER_MS });

    const span = await throughout(
      () => pauseDatabase(servers),
      PAUSED_MS,
      async () => {
        await sleep(PAUSED_MS / 4);
        await dying.kill();
      },
    );
    const whole = await calls.answers();
    expect(new Set(whole.map(({ id }) => id)).size).toBe(IN_FLIGHT);
    await expectBalanced(inFlightBooks);
    await expectChargedOnce(inFlightBooks, whole);
    expect(await inFlightBooks.calls()).toHaveLength(before + IN_FLIGHT);

    await eventually(async () => {
      expect(await closedAsLost(lost)).toHaveLength(LOST);
    }, 90_000);
    for (const closed of await recordsOf(lost)) {
      expect(closed).toMatchObject({ status: 'reconciliation_required', customer_nanos: '0' });
      expect(closed.finished_at!.getTime()).toBeGreaterThanOrEqual(span.endedAt.getTime() + LEASE_MS);
    }
    await lostBooks.close();
    expect(await closedAsLost(inFlightCaller)).toEqual([]);

    await recovered('paused', span);
    await dying.start();
    await booksAreRight();
    expect(Object.keys(outcomesOf(triesDuring('edge 0', span)))).toEqual(['503 overloaded']);
    for (const lane of ['management', 'auth'])
      expect(Object.keys(outcomesOf(triesDuring(lane, span)))).toEqual(['503']);
    expect(slowestOf(triesDuring('', span))).toBeLessThan(ANSWER_MS_MAX + span.slowestBeforeMs);
  });
});
