import { randomUUID } from 'node:crypto';
import { eventually } from '@svc/testing';
import { workspaceRoot } from '../harness/app-process';
import { catalogOf } from '../harness/catalog-file';
import { post } from '../harness/clients';
import { versionBeforeOfThisRun } from '../harness/config';
import { rowsOf } from '../harness/database-session';
import { setUp } from '../harness/installation';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { callApi } from '../oauth/oauth-app';
import { expectBooksHold } from '../distributed/invariants';
import { call, CHAT } from '../distributed/lanes';
import { openStream, type OpenStream } from '../distributed/open-stream';
import { expectBalanced, expectChargedOnce, openBooks } from '../distributed/proven-books';
import { printTable, seconds } from '../distributed/recovery-report';
import { OK, outcomesOf, slowestOf } from '../distributed/steady-load';
import { newKey, type Tenant } from '../distributed/tenant';
import { WebhookReceiver } from '../distributed/webhook-receiver';
import { SERVICES, startRolledServices, type RolledServices } from './rolled-services';
import { trainable } from './training';
import { startUpgradeLoad, type UpgradeLoad } from './upgrade-load';

const BEFORE = versionBeforeOfThisRun();
const TODAY = workspaceRoot;
/** Routes that today's management service has, and the one before need not have. */
const NEW_READS = ['/rollouts', '/policy/effective'];
/** Functions, views and triggers of the database, by who loaded them. */
const LOADED = 'SELECT path, sha256, version FROM loaded_sql_files ORDER BY path';
/** Which part of the calls a machine of two cores may be too slow for, while services start on it. */
const BUSY_MAX = 0.01;
/** Rounds of the worker's reconciliation. */
const RESTORED_MS = 90_000;
/** Four seconds: such a stream is open at each edge that gets SIGTERM. */
const STREAM = { frames: 40, everyMs: 100 };

let simulator: Simulator;
let receiver: WebhookReceiver;
let rolled: RolledServices;
let running: UpgradeLoad;
beforeAll(async () => {
  simulator = await startSimulator();
  receiver = await WebhookReceiver.start();
  rolled = await startRolledServices(BEFORE, trainable(catalogOf({ name: 'only', url: simulator.url })));
  running = await startUpgradeLoad(rolled.svc, receiver.url);
});
afterAll(async () => {
  await running.load.stop();
  await rolled.stop();
  await simulator.stop();
  await receiver.close();
});

const table: Record<string, string>[] = [];
afterAll(() => {
  printTable('each service replaced under load', table);
});

/** Tries since then that did not end well. */
const failedSince = (sinceMs: number) =>
  running.load
    .after('', sinceMs)
    .filter(({ outcome }) => outcome !== OK)
    .map(({ lane, outcome }) => `${lane}: ${outcome}`);

const outcomesByLane = () =>
  Array.from(
    Map.groupBy(running.load.tries, ({ lane }) => lane),
    ([lane, tries]) => ({
      lane,
      outcomes: JSON.stringify(outcomesOf(tries)),
      slowest: seconds(slowestOf(tries)),
    }),
  );

/** A call with an idempotency key. @returns whether it is a replay, and its text. */
async function keyedCall(secret: string, key: string) {
  const at = { baseUrl: rolled.svc.baseUrl, apiKey: secret };
  const answer = await post(at, CHAT, call(), { headers: { 'idempotency-key': key } });
  return { replayed: answer.headers.get('idempotency-replayed'), text: await answer.text() };
}

it('today’s migrations run while the version before serves', async () => {
  const sinceMs = performance.now();
  await setUp(rolled.svc.environment, TODAY);
  await eventually(() => {
    const lanes = new Set(running.load.after('', performance.now() - 5_000).map(({ lane }) => lane));
    expect([...lanes]).toEqual(expect.arrayContaining(['calls', 'keyed', 'new keys', 'reads', 'sessions']));
  });
  expect(failedSince(sinceMs)).toEqual([]);
});

describe.each([
  { way: 'to today’s version', build: TODAY, order: SERVICES },
  { way: 'back to the version before, over today’s tables', build: BEFORE, order: SERVICES },
  { way: 'to today’s version again, the other way round', build: TODAY, order: SERVICES.toReversed() },
])('$way', ({ way, build, order }) => {
  it('no call fails, no stream is cut, and no answer is forgotten', async () => {
    const sinceMs = performance.now();
    const { secret } = await newKey(rolled.svc, running.keyed);
    const key = randomUUID();
    const first = await keyedCall(secret, key);
    expect(first.replayed).toBeNull();
    const streams: OpenStream[] = [];
    // As Compose and Helm do it, also on the way back.
    const loaded = await rowsOf(rolled.svc.databaseUrl, LOADED);
    await setUp(rolled.svc.environment, build);
    expect(await rowsOf(rolled.svc.databaseUrl, LOADED)).toEqual(loaded);
    for (const service of order) {
      const { readyMs, drainedMs } = await rolled.roll(service, build, async ({ url }) => {
        if (service === 'edge')
          streams.push(await openStream({ baseUrl: url, apiKey: secret }, CHAT, STREAM));
      });
      table.push({ way, service, ready: seconds(readyMs), drained: seconds(drainedMs) });
    }
    expect(await keyedCall(secret, key)).toEqual({ replayed: 'true', text: first.text });
    for (const stream of streams) {
      expect(await stream.ended).toMatchObject({ endedWell: true });
      running.keyedAnswers.push(stream.whole());
    }
    expect(failedSince(sinceMs)).toEqual([]);
  });

  it('the books hold', async () => {
    await expectBooksHold(rolled.svc, { timeoutMs: RESTORED_MS });
  });

  it('the management API answers what its version has', async () => {
    for (const path of build === TODAY ? NEW_READS : []) {
      const { status } = await callApi(rolled.svc.baseUrl, 'GET', `/api/v1${path}`, running.tenant.apiKey);
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });
});

describe('in the end', () => {
  beforeAll(async () => {
    await running.load.stop();
    printTable('what ran', outcomesByLane());
  });

  it('every try succeeded, and hardly one had to be sent again', () => {
    expect(failedSince(0)).toEqual([]);
    const { load, busy } = running;
    expect(busy.length).toBeLessThan(load.tries.length * BUSY_MAX);
  });

  it('each call is charged once, and wallets are what their entries come to', async () => {
    const { tenant, answers, keyed, keyedAnswers } = running;
    const expectProven = async (owner: Tenant, whole: typeof answers) => {
      const books = await openBooks(rolled.svc, owner);
      await expectBalanced(books, RESTORED_MS);
      await expectChargedOnce(books, whole);
      await books.close();
    };
    await expectProven(tenant, answers);
    await expectProven(keyed, keyedAnswers);
    await expectBooksHold(rolled.svc, { timeoutMs: RESTORED_MS });
  });

  it('nothing is held, of jobs neither', async () => {
    await eventually(async () => {
      const held = 'SELECT organization_id, held_nanos FROM wallets WHERE held_nanos <> 0';
      expect(await rowsOf(rolled.svc.databaseUrl, held)).toEqual([]);
    }, RESTORED_MS);
  });

  it('each event reached the webhook endpoint', async () => {
    await eventually(() => {
      const missing = [...running.keysMade.keys()].filter((id) => receiver.firstOf(id).size === 0);
      expect(missing).toEqual([]);
    }, RESTORED_MS);
  });
});
