import { eventually } from '@svc/testing';
import { catalogOf } from '../harness/catalog-file';
import { post, type ErrorBody } from '../harness/clients';
import { sleep } from '../harness/sleep';
import { startInstallation, type Installation } from '../harness/installation';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';
import { expectBooksHold } from './invariants';
import { type At, call, CHAT, MESSAGES, mixedCalls, newKeys, sessionLookups } from './lanes';
import { openStream, type OpenStream } from './open-stream';
import { expectBalanced, expectChargedOnce, openBooks } from './proven-books';
import { printTable, seconds } from './recovery-report';
import { OK, outcomesOf, SteadyLoad, type WholeAnswer } from './steady-load';
import { newKey, newTenant, of, type Tenant } from './tenant';
import { WebhookReceiver } from './webhook-receiver';

/** A minute or longer in a manual run. */
const OUTAGE_MS = Number(process.env.SVC_OUTAGE_SECONDS ?? 15) * 1000;
/**
 * How long streams go on after PostgreSQL is back. After an outage longer than the lease of 30 s the worker might take
 * every edge for dead: then the streams last long enough for it to do so.
 */
const STREAMS_ON_MS = OUTAGE_MS < 20_000 ? 3_000 : 16_000;
const LANES = 3;
const ENDPOINTS = 2;
const CREDIT = 10n ** 12n;
const FRAME_MS = 250;
/** A call that began just before an outage may end either way. */
const JUST_BEFORE_MS = 1_000;

jest.setTimeout(240_000 + 4 * OUTAGE_MS);

type ServerName = 'kafka' | 'redis' | 'postgresql';

let simulator: Simulator;
let receiver: WebhookReceiver;
let svc: Installation;
let tenant: Tenant;
/** One edge, without the proxy. */
let edge: At;
let endpointId: string;
let load: SteadyLoad;
const answers: WholeAnswer[] = [];
const keysMade = new Map<string, number>();
const table: Record<string, string | number>[] = [];

/** The refusal of a call that can be neither counted nor paid. */
const AWAY = { status: 503, code: 'overloaded', retriable: true, shouldRetry: 'true' };

interface Outage {
  readonly awayAtMs: number;
  readonly upAtMs: number;
  /** Until every service reported that it is ready. */
  readonly readyMs: number;
}

/** Kills a server, runs `meanwhile`, and starts the server again after the outage. */
async function without(server: ServerName, meanwhile: () => Promise<void>): Promise<Outage> {
  await svc.servers!.kill(server);
  const awayAtMs = performance.now();
  // The lanes from before may wait for their answers until the server is back.
  load.start({ name: 'calls', pauseMs: 50, tryOnce: mixedCalls(edge, answers) });
  try {
    await meanwhile();
    await sleep(Math.max(0, awayAtMs + OUTAGE_MS - performance.now()));
  } finally {
    // Also after a failure: otherwise waiting calls and later specs would wait for ever.
    await svc.servers!.up(server);
  }
  const upAtMs = performance.now();
  await eventually(async () => {
    expect(await everyReadiness()).toEqual(ready);
  }, 60_000);
  return { awayAtMs, upAtMs, readyMs: performance.now() - upAtMs };
}

const duringOf = (lane: string, { awayAtMs }: Outage) =>
  load.after(lane, awayAtMs + JUST_BEFORE_MS, awayAtMs + OUTAGE_MS - JUST_BEFORE_MS);

/** The dependencies that a process reports as unavailable, or why it reports nothing. */
async function readiness(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/readyz`);
    const { failing } = (await answer.json()) as { failing?: string[] };
    return [String(answer.status), ...(failing ?? [])].join(' ');
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}
const everyReadiness = async () => {
  const processes = [...svc.edges, svc.management, svc.auth, ...svc.dispatchers, ...svc.workers];
  const each = processes.map(async ({ name, url }) => [name, await readiness(url)] as const);
  return Object.fromEntries(await Promise.all(each));
};
const ready = { edge: '200', management: '200', auth: '200', dispatcher: '200', worker: '200' };

const undelivered = () => [...keysMade.keys()].filter((id) => receiver.firstOf(id).size < ENDPOINTS);
const pids = () =>
  [...svc.edges, svc.management, svc.auth, ...svc.dispatchers, ...svc.workers].map(({ pid }) => pid);

/** Waits until everything works again by itself, and records how long that took. */
async function recovered(server: ServerName, outage: Outage): Promise<void> {
  const { upAtMs, readyMs } = outage;
  const times = await Promise.all(
    ['calls', 'management', 'auth'].map(async (lane) => [lane, seconds(await load.recovery(lane, upAtMs))]),
  );
  await load.stop();
  await eventually(() => {
    expect(undelivered()).toEqual([]);
  }, 90_000);
  const early = [...keysMade].filter(([, madeAtMs]) => madeAtMs < upAtMs);
  const lastAtMs = Math.max(...early.flatMap(([id]) => [...receiver.firstOf(id).values()]));
  table.push({
    away: server,
    'all ready': seconds(readyMs),
    ...Object.fromEntries(times),
    'last late event': lastAtMs > upAtMs ? seconds(lastAtMs - upAtMs) : 'none',
    'calls while away': JSON.stringify(outcomesOf(duringOf('calls', outage))),
    'management while away': JSON.stringify(outcomesOf(duringOf('management', outage))),
  });
}

async function booksAreRight(streams: readonly OpenStream[] = []): Promise<void> {
  const audit = await openBooks(svc, tenant);
  await expectBalanced(audit, 60_000);
  await expectChargedOnce(audit, [...answers, ...streams.map((stream) => stream.whole())]);
  await audit.close();
  await expectBooksHold(svc);
}

const streamsFor = (durationMs: number) =>
  Promise.all(
    [CHAT, MESSAGES].map((path) =>
      openStream(edge, path, { frames: Math.ceil(durationMs / FRAME_MS), everyMs: FRAME_MS }),
    ),
  );

/** How a call ends, and whether it may be retried. */
async function refusalOf(body: object, headers: Record<string, string> = {}) {
  const response = await post(edge as Svc, CHAT, body, { headers });
  if (response.status === 200) return { status: 200 };
  const { error } = (await response.json()) as ErrorBody;
  return {
    status: response.status,
    code: error.code,
    retriable: error.retriable,
    shouldRetry: response.headers.get('x-should-retry'),
  };
}

const sentUpstream = async () => (await simulator.journal()).length;
const answerOf = async (body: object, headers: Record<string, string>) => {
  const response = await post(edge as Svc, CHAT, body, { headers });
  return {
    status: response.status,
    replayed: response.headers.get('idempotency-replayed'),
    text: await response.text(),
  };
};

describe('a server that is killed under load', () => {
  beforeAll(async () => {
    simulator = await startSimulator();
    receiver = await WebhookReceiver.start();
    svc = await startInstallation({
      ownServers: true,
      catalog: catalogOf({ name: 'only', url: simulator.url }),
      env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true', SVC_WEBHOOK_RETRY_DELAYS: '1,1,1,1,1' },
    });
    tenant = await newTenant(svc, CREDIT);
    const { secret: apiKey } = await newKey(svc, tenant);
    edge = { baseUrl: svc.edges[0]!.url, apiKey };
    for (let nth = 0; nth < ENDPOINTS; nth++) {
      const endpoint = { url: `${receiver.url}/${String(nth)}`, event_types: ['api_key.created'] };
      const made = await callApi(svc.baseUrl, 'POST', '/api/v1/webhook-endpoints', tenant.apiKey, endpoint);
      endpointId = (of(201, made) as { endpoint: { id: string } }).endpoint.id;
    }
  });
  beforeEach(async () => {
    load = new SteadyLoad();
    const { baseUrl } = svc;
    for (let lane = 0; lane < LANES; lane++)
      load.start({ name: 'calls', pauseMs: 50, tryOnce: mixedCalls(edge, answers) });
    const tryOnce = newKeys({ baseUrl, apiKey: tenant.apiKey }, keysMade);
    load.start({ name: 'management', pauseMs: 100, tryOnce });
    load.start({ name: 'auth', pauseMs: 100, tryOnce: await sessionLookups(svc) });
    await sleep(2_000);
  });
  afterEach(() => load.stop());
  afterAll(async () => {
    printTable(`servers away for ${seconds(OUTAGE_MS)} under load; times since they were up again`, table);
    await svc.stop();
    await simulator.stop();
    await receiver.close();
  });

  it('without Redis: calls are refused uncounted and uncharged, replays and streams in flight go on', async () => {
    const before = pids();
    const first = await answerOf(call(), { 'idempotency-key': 'before-redis' });
    expect(first).toMatchObject({ status: 200, replayed: null });
    const streams = await streamsFor(OUTAGE_MS + 3_000);
    const short = await streamsFor(3_000);

    const outage = await without('redis', async () => {
      await eventually(async () => {
        expect(await refusalOf(call())).toEqual(AWAY);
      });
      const replay = await answerOf(call(), { 'idempotency-key': 'before-redis' });
      expect(replay).toEqual({ ...first, replayed: 'true' });
      // Its idempotency key is free again: it is retried below.
      expect(await refusalOf(call(), { 'idempotency-key': 'while-redis' })).toMatchObject({ status: 503 });
      for (const { ended } of short) expect((await ended).endedWell).toBe(true);
      expect(await everyReadiness()).toEqual({ ...ready, edge: '503 redis' });
      const models = await fetch(`${edge.baseUrl}/v1/models`, {
        headers: { authorization: `Bearer ${edge.apiKey}` },
      });
      expect(models.status).toBe(200);
      await sleep(JUST_BEFORE_MS);
      await simulator.clearJournal();
      await sleep(3_000);
      expect(await sentUpstream()).toBe(0);
    });
    for (const { ended } of streams) expect((await ended).endedWell).toBe(true);
    expect(Object.keys(outcomesOf(duringOf('calls', outage)))).toEqual(['503 overloaded']);
    for (const lane of ['management', 'auth'])
      expect(Object.keys(outcomesOf(duringOf(lane, outage)))).toEqual([OK]);

    await recovered('redis', outage);
    expect(await answerOf(call(), { 'idempotency-key': 'while-redis' })).toMatchObject({
      status: 200,
      replayed: null,
    });
    await booksAreRight([...streams, ...short]);
    expect(pids()).toEqual(before);
  });

  it('without Kafka: every call is served, and events wait', async () => {
    const before = pids();
    const streams = await streamsFor(3_000);
    const outage = await without('kafka', async () => {
      await eventually(async () => {
        expect(await everyReadiness()).toEqual({ ...ready, dispatcher: '503 kafka', worker: '503 kafka' });
      });
      for (const { ended } of streams) expect((await ended).endedWell).toBe(true);
      // Deliveries that are already in PostgreSQL need no Kafka.
      const tested = await callApi(
        svc.baseUrl,
        'POST',
        `/api/v1/webhook-endpoints/${endpointId}/test`,
        tenant.apiKey,
      );
      expect(tested.status).toBeLessThan(300);
      await eventually(() => {
        expect(receiver.arrivals.some(({ eventType }) => eventType === 'webhook.test')).toBe(true);
      });
    });
    for (const lane of ['calls', 'management', 'auth'])
      expect(Object.keys(outcomesOf(duringOf(lane, outage)))).toEqual([OK]);
    expect(undelivered().length).toBeGreaterThan(0);

    await recovered('kafka', outage);
    await booksAreRight(streams);
    expect(pids()).toEqual(before);
  });

  it('without PostgreSQL: no call is sent that could not be charged, and ends of answers wait for their charge', async () => {
    const before = pids();
    const long = await streamsFor(OUTAGE_MS + STREAMS_ON_MS);
    const short = await streamsFor(3_000);
    const first = await answerOf(call(), { 'idempotency-key': 'before-postgresql' });
    const running = answerOf(call({ delay_ms: 3_000 }), { 'idempotency-key': 'held' });
    await sleep(500);

    const outage = await without('postgresql', async () => {
      await eventually(async () => {
        expect(await refusalOf(call())).toMatchObject(AWAY);
      });
      expect(await refusalOf(call(), { 'idempotency-key': 'while-postgresql' })).toMatchObject(AWAY);
      expect(await refusalOf(call(), { 'idempotency-key': 'before-postgresql' })).toMatchObject(AWAY);
      await eventually(async () => {
        expect(await everyReadiness()).toEqual({
          edge: '503 postgresql',
          management: '503 postgresql',
          auth: '503 postgresql',
          dispatcher: '503 postgresql',
          worker: '503 postgresql',
        });
      });
      await simulator.clearJournal();
      const lengths = long.map((stream) => stream.text().length);
      await sleep(3_000);
      expect((await simulator.journal()).filter(({ stream }) => !stream)).toEqual([]);
      // Frames pass; the last, which has the cost, waits.
      for (const [at, stream] of long.entries())
        expect(stream.text().length).toBeGreaterThan(lengths[at] ?? 0);
      for (const stream of short) {
        expect(stream.text()).toContain('data: ');
        expect(stream.text()).not.toContain('"svc"');
      }
    });
    for (const { ended } of [...short, ...long]) expect((await ended).endedWell).toBe(true);
    for (const { ended } of short) expect((await ended).atMs).toBeGreaterThan(outage.awayAtMs + OUTAGE_MS);
    const held = await running;
    expect(held).toMatchObject({ status: 200, replayed: null });
    expect(Object.keys(outcomesOf(duringOf('calls', outage)))).toEqual(['503 overloaded']);
    for (const lane of ['management', 'auth'])
      expect(Object.keys(outcomesOf(duringOf(lane, outage)))).toEqual(['503']);

    await recovered('postgresql', outage);
    expect(await answerOf(call(), { 'idempotency-key': 'before-postgresql' })).toEqual({
      ...first,
      replayed: 'true',
    });
    expect(await answerOf(call({ delay_ms: 3_000 }), { 'idempotency-key': 'held' })).toEqual({
      ...held,
      replayed: 'true',
    });
    expect(await answerOf(call(), { 'idempotency-key': 'while-postgresql' })).toMatchObject({
      status: 200,
      replayed: null,
    });
    await booksAreRight([...short, ...long]);
    expect(pids()).toEqual(before);
  });
});
