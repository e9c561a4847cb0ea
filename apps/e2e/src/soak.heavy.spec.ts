import { eventually, inParallel } from '@svc/testing';
import { catalogOf, testModel, type CatalogDocument } from './harness/catalog-file';
import { directed, post } from './harness/clients';
import { sleep } from './harness/sleep';
import { openLedgerAudit, type LedgerAudit } from './harness/ledger-audit';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { endedWell } from './harness/stream-frames';
import { startSvc, type Svc } from './harness/svc-process';
import { INSPECTED, openLiveMemory, type LiveMemory } from './matrix/live-memory';
import { openOperatorDatabase } from './matrix/operator-database';
import { residentMiB, settledMiB } from './matrix/resident-memory';

/** For a longer manual run: SVC_SOAK_CALLS=100000. */
const CALLS = Number(process.env.SVC_SOAK_CALLS ?? 5000);
/** After these the heap has reached its bound. */
const WARM_UP_CALLS = 3000;
/** By default V8 lets the heap grow for some 12,000 calls before a major collection. */
const HEAP_MIB = 160;
const STALLED_STREAMS = 500;
const SLOW_READERS = 20;
const IN_FLIGHT = 24;
const RATE_LIMIT = 2_000_000_000;

/** A leak shows from 0.8 KiB a call in 5,000 calls, from 40 bytes in 100,000. */
const LEAK_MIB = 4;
/** The memory for sockets and parsers of these streams; the answers of 20 slow readers would take 5,600. */
const STREAMS_SLACK_MIB = 64;

/** Allows texts so long that a slow reader's answer could fill memory. */
function generous(catalog: CatalogDocument): CatalogDocument {
  const models = catalog.models.map((model) => ({ ...model, max_output_tokens: 2_000_000 }));
  return { ...catalog, models };
}

describe('the memory of the service', () => {
  let simulator: Simulator;
  let svc: Svc;
  let audit: LedgerAudit;
  let memory: LiveMemory;
  let authorization: string;

  beforeAll(async () => {
    simulator = await startSimulator();
    svc = await startSvc({
      catalog: generous(catalogOf({ name: 'only', url: simulator.url })),
      env: {
        SVC_LOG_LEVEL: 'warn',
        SVC_BOOTSTRAP_CREDIT_NANOS: String(10n ** 15n),
        NODE_OPTIONS: `--max-old-space-size=${String(HEAP_MIB)} ${INSPECTED}`,
      },
    });
    audit = await openLedgerAudit(svc);
    memory = await openLiveMemory(svc.logs());
    const operator = await openOperatorDatabase(svc);
    const { organizationId } = svc;
    await operator.raiseCeilings(organizationId);
    const limits = { rateLimitRpm: RATE_LIMIT, rateLimitTpm: RATE_LIMIT };
    authorization = `Bearer ${(await operator.addKey({ organizationId, ...limits })).secret}`;
    await operator.close();
  });
  afterAll(async () => {
    memory.close();
    await audit.close();
    await svc.stop();
    await simulator.stop();
  });

  const ask = (directive: Record<string, unknown>, more: object = {}, init: { signal?: AbortSignal } = {}) =>
    post(
      svc,
      '/v1/chat/completions',
      { model: testModel, max_tokens: 100, messages: [directed(directive, 'Hello')], ...more },
      { headers: { authorization }, ...init },
    );

  /** Plain and streamed calls in turn; every answer is checked. */
  const askMany = (calls: number) =>
    inParallel(Array.from({ length: calls }), IN_FLIGHT, async (_, index) => {
      const stream = index % 2 === 0;
      const response = await ask({}, { stream });
      const text = await response.text();
      if (response.status !== 200 || (stream && !endedWell(text))) throw new Error(text);
    });

  const nothingIsHeld = () =>
    eventually(async () => {
      expect((await audit.books()).heldNanos).toBe(0n);
    }, 20_000);

  it(
    `stays flat over ${String(CALLS)} calls`,
    async () => {
      await askMany(WARM_UP_CALLS);
      const live = [await memory.mib()];
      const resident: number[] = [];
      const startedAtMs = performance.now();
      for (let tenth = 0; tenth < 10; tenth++) {
        await askMany(Math.ceil(CALLS / 10));
        live.push(await memory.mib());
        resident.push(await residentMiB(svc.pid));
      }
      const rate = CALLS / ((performance.now() - startedAtMs) / 1000);
      report(`${String(CALLS)} calls, ${rate.toFixed(0)}/s`, {
        live: live.map((mib) => mib.toFixed(1)),
        resident: resident.map(Math.round),
      });
      expect((live.at(-1) ?? 0) - (live[0] ?? 0)).toBeLessThan(LEAK_MIB);
      await nothingIsHeld();
    },
    120_000 + CALLS * 40,
  );

  it(`comes back from ${String(STALLED_STREAMS)} stalled streams at once`, async () => {
    const before = await memory.mib();
    const rounds: { stalled: number; after: number }[] = [];
    for (let round = 0; round < 2; round++) {
      const leave = new AbortController();
      const readers = await inParallel(Array.from({ length: STALLED_STREAMS }), 50, async () => {
        const response = await ask({ stall_after: 4 }, { stream: true }, { signal: leave.signal });
        const reader = response.body!.getReader();
        await reader.read();
        return reader;
      });
      await sleep(2000);
      const stalled = await memory.mib();
      leave.abort();
      await Promise.all(readers.map((reader) => reader.closed.catch(() => undefined)));
      await nothingIsHeld();
      rounds.push({ stalled, after: await memory.mib() });
    }
    report(`${String(STALLED_STREAMS)} stalled streams, twice, live`, { before, rounds });
    for (const { stalled, after } of rounds) {
      expect(stalled - before).toBeLessThan(STREAMS_SLACK_MIB);
      expect(after - before).toBeLessThan(LEAK_MIB);
    }
  });

  it(`does not buffer the answers of ${String(SLOW_READERS)} slow readers`, async () => {
    await simulator.clearJournal();
    const before = await settledMiB(svc.pid);
    const leave = new AbortController();
    const readers = await inParallel(Array.from({ length: SLOW_READERS }), SLOW_READERS, async () => {
      // 280 MB each.
      const long = { reply_words: 1_000_000 };
      const response = await ask(long, { stream: true, max_tokens: 2_000_000 }, { signal: leave.signal });
      return response.body!.getReader();
    });
    let most = 0;
    for (let seconds = 0; seconds < 5; seconds++) {
      for (const reader of readers) expect((await reader.read()).done).toBe(false);
      await sleep(1000);
      most = Math.max(most, await residentMiB(svc.pid));
    }
    // The provider waits too: none of its answers was sent whole.
    expect(await simulator.journal()).toEqual([]);
    leave.abort();
    await Promise.all(readers.map((reader) => reader.closed.catch(() => undefined)));
    await nothingIsHeld();
    report(`${String(SLOW_READERS)} slow readers`, { before, most });
    expect(most - before).toBeLessThan(2 * STREAMS_SLACK_MIB);
  });
});

const report = (what: string, figures: object) => {
  process.stderr.write(`soak: ${what}, MiB: ${JSON.stringify(figures)}\n`);
};
