import { prismaOf, UnitOfWork } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { type Catalog } from '@svc/catalog';
import { systemIds } from '@svc/runtime';
import { readPolicyDocument } from '../rules/policy/policy-document';
import { rolloutChanges } from '../rules/rollouts/rollout-changes';
import { PolicyStore } from './policy-store';
import { RolloutJudgement } from './rollout-judgement';
import { RolloutStore } from './rollout-store';

const ORG = 'org_1';
const CATALOG: Pick<Catalog, 'providers' | 'models'> = { providers: new Map(), models: new Map() };

let test: TestDatabase;
let store: RolloutStore;
beforeEach(async () => {
  test = await emptyTestDatabase();
  store = new RolloutStore(test.database);
  await test.database.prisma.organization.create({ data: { id: ORG, name: 'Acme' } });
});
afterEach(() => test.close());

const written = (name: string, more: object = {}) => ({
  ...{ name, model: 'acme/small', to: { model: 'acme/large' }, share_bps: 500, by: 'end_user' },
  ...more,
});
/** As a version of the policy that has these rollouts. */
const write = (...rollouts: object[]) =>
  new UnitOfWork(test.database).transaction(async (tx) => {
    const documents = readPolicyDocument({ rollouts }).rollouts;
    const known = await store.lockKnown(
      tx,
      ORG,
      documents.map(({ name }) => name),
    );
    await store.applyRolloutChanges(tx, ORG, rolloutChanges(documents, known, CATALOG), systemIds);
  });
const all = async () => {
  const { items } = await store.listRollouts(ORG, { limit: 100, before: null });
  return Object.fromEntries(items.map((rollout) => [rollout.name, rollout]));
};
const idOf = async (name: string) => (await all())[name]!.id;

const WRITERS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
/** Calls of a minute, all with the same time to the first byte. */
const addMinute = async (
  rolloutId: string,
  { calls = 10, failures = 0, minutesAgo = 0, arm = 'treatment', writer = 0, ttftBound = 20 } = {},
) => {
  await test.database.prisma.rolloutMinute.create({
    data: {
      ...{ rolloutId, arm, writerId: WRITERS[writer]!, calls, failures, cancelled: 0 },
      minute: new Date(Math.floor(Date.now() / 60_000) * 60_000 - minutesAgo * 60_000),
      ...{ inputTokens: 0n, cachedInputTokens: 0n, cacheWriteTokens: 0n, reasoningTokens: 0n },
      ...{ outputTokens: BigInt(calls * 7), customerNanos: BigInt(calls * 100), providerNanos: 3n },
      ...{ durationBounds: [20], durationCounts: [calls - failures] },
      ...{ ttftBounds: [ttftBound], ttftCounts: [calls] },
    },
  });
};

const judge = async (judgement = new RolloutJudgement(test.database)) => {
  const claims = await judgement.claim();
  for (const claim of await judgement.ending(claims)) await judgement.endRollout(claim);
  for (const claim of claims) await judgement.postpone(claim);
  return claims.length;
};
const traces = async () => {
  const { prisma } = test.database;
  const events = await prisma.outboxEvent.findMany({ where: { type: { startsWith: 'rollout.' } } });
  const entries = await prisma.auditEntry.findMany();
  return {
    events: events.map(({ payload }) => JSON.parse(payload) as { type: string; data: object }),
    entries: entries.map(({ action, actorType, changes }) => ({ action, actorType, changes })),
  };
};
const dueAgain = () =>
  test.database.pool.query('UPDATE rollouts SET due_at = now() WHERE due_at IS NOT NULL');

describe('the rollouts of an organization', () => {
  it('follow its policy: named ones run, changed ones go on, those that are not named are removed for good', async () => {
    await write(written('one'), written('two'));
    await write(written('one', { share_bps: 2_000, abort: { max_error_rate_bps: null, min_calls: 5 } }));
    expect(await all()).toMatchObject({
      one: { state: 'running', shareBps: 2_000, maxErrorRateBps: null, minCalls: 5, endedAt: null },
      two: { state: 'removed', reason: null, endedAt: expect.any(Date) },
    });
    await write(written('one'), written('two', { share_bps: 9_999 }));
    expect(await all()).toMatchObject({ two: { state: 'removed', shareBps: 500 } });
    expect(await traces()).toEqual({ events: [], entries: [] });
    const calls = await new PolicyStore(test.database).forCalls(ORG);
    expect(calls.rollouts).toEqual({ one: await idOf('one') });
  });

  it('are measured by both arms, over all edges', async () => {
    await write(written('one'), written('quiet'));
    const id = await idOf('one');
    await addMinute(id, { failures: 4 });
    await addMinute(id, { writer: 1, ttftBound: 30 });
    await addMinute(id, { minutesAgo: 60 });
    await addMinute(id, { arm: 'control', calls: 1 });
    const { one, quiet } = await all();
    expect(one!.arms).toMatchObject({
      treatment: { calls: 30, failed: 4, ended: 30, begun: 30, outputTokens: 210, customerNanos: 3_000n },
      control: { calls: 1, failed: 0, outputTokens: 7, customerNanos: 100n, providerNanos: 3n },
    });
    const bound = (at: number) => Math.round(600_000 ** ((at - 0.5) / 63));
    expect([one!.arms.treatment.ttftP95Ms, one!.arms.control.ttftP95Ms]).toEqual([bound(30), bound(20)]);
    expect(quiet!.arms.treatment).toMatchObject({ calls: 0, ended: 0, ttftP95Ms: null });
  });

  it('are counted by state', async () => {
    await write(written('one'), written('two'));
    await write(written('one'));
    expect(await store.countByState()).toEqual({ running: 1, aborted: 0, completed: 0, removed: 1 });
  });

  it('end once: of several that end one, one does', async () => {
    await write(written('one'));
    const id = await idOf('one');
    const end = () =>
      new UnitOfWork(test.database).transaction((tx) =>
        store.endRollout(tx, ORG, id, { state: 'aborted', reason: 'user' }),
      );
    const ended = await Promise.all([end(), end(), end()]);
    expect(ended.filter((one) => one !== null)).toMatchObject([{ state: 'aborted', reason: 'user' }]);
    expect(await end()).toBeNull();
  });
});

describe('workers that judge', () => {
  it('abort what fails by its calls of the last 5 minutes, with one event and one entry, however many they are', async () => {
    await write(written('fails', { abort: { min_calls: 20 } }), written('works'), written('failed before'));
    await addMinute(await idOf('fails'), { failures: 6 });
    await addMinute(await idOf('fails'), { failures: 6, minutesAgo: 2 });
    await addMinute(await idOf('works'), { calls: 100, failures: 5 });
    await addMinute(await idOf('failed before'), { calls: 100, failures: 100, minutesAgo: 7 });
    const workers = Array.from({ length: 4 }, () => new RolloutJudgement(test.database));
    await Promise.all(workers.map((worker) => judge(worker)));
    await dueAgain();
    await Promise.all(workers.map((worker) => judge(worker)));
    expect(await all()).toMatchObject({
      fails: { state: 'aborted', reason: 'error_rate', endedAt: expect.any(Date) },
      works: { state: 'running' },
      'failed before': { state: 'running' },
    });
    const change = { state: { from: 'running', to: 'aborted' }, reason: { from: null, to: 'error_rate' } };
    expect(await traces()).toEqual({
      events: [
        expect.objectContaining({
          type: 'rollout.aborted',
          data: {
            ...{ rollout_id: await idOf('fails'), name: 'fails', model: 'acme/small' },
            ...{ to: { model: 'acme/large' }, share_bps: 500, reason: 'error_rate', calls: 20, failed: 12 },
          },
        }),
      ],
      entries: [{ action: 'rollout.abort', actorType: 'system', changes: change }],
    });
  });

  it('wait for as many calls as the rollout says', async () => {
    await write(written('one', { abort: { min_calls: 11 } }));
    await addMinute(await idOf('one'), { failures: 10 });
    await judge();
    expect(await all()).toMatchObject({ one: { state: 'running' } });
    await addMinute(await idOf('one'), { calls: 1, failures: 1, writer: 1 });
    await dueAgain();
    await judge();
    expect(await all()).toMatchObject({ one: { state: 'aborted' } });
  });

  it('abort what is too slow, and complete what has come to its end', async () => {
    const past = new Date(Date.now() - 1_000).toISOString();
    await write(
      written('slow', { abort: { max_ttft_p95_ms: 60, min_calls: 1 } }),
      written('over', { ends_at: past }),
      written('later', { ends_at: new Date(Date.now() + 3_600_000).toISOString() }),
    );
    await addMinute(await idOf('slow'));
    await judge();
    expect(await all()).toMatchObject({
      slow: { state: 'aborted', reason: 'latency' },
      over: { state: 'completed', reason: 'ended' },
      later: { state: 'running' },
    });
    const { events, entries } = await traces();
    expect(events.map(({ type }) => type).toSorted()).toEqual(['rollout.aborted', 'rollout.completed']);
    expect(entries.map(({ action }) => action).toSorted()).toEqual(['rollout.abort', 'rollout.complete']);
  });

  it('are each due again after 10 s, and after the lease of one that was killed', async () => {
    await write(written('one'));
    expect(await judge()).toBe(1);
    expect(await judge()).toBe(0);
    await test.database.pool.query(`UPDATE rollouts SET due_at = due_at - interval '10 s'`);
    const killed = new RolloutJudgement(test.database);
    const [claim] = await killed.claim();
    expect(await judge()).toBe(0);
    await test.database.pool.query(`UPDATE rollouts SET lease_until = lease_until - interval '10 s'`);
    await addMinute(await idOf('one'), { calls: 50, failures: 50 });
    expect(await judge()).toBe(1);
    // It was only slow: it ends nothing any more.
    await killed.endRollout(claim!);
    await killed.postpone(claim!);
    expect((await traces()).events).toHaveLength(1);
    expect(await all()).toMatchObject({ one: { state: 'aborted' } });
  });

  it('end by the limits that hold when they end it', async () => {
    await write(written('one'));
    await addMinute(await idOf('one'), { calls: 50, failures: 50 });
    const judgement = new RolloutJudgement(test.database);
    const ending = await judgement.ending(await judgement.claim());
    await write(written('one', { abort: { max_error_rate_bps: null } }));
    for (const claim of ending) await judgement.endRollout(claim);
    expect(ending).toHaveLength(1);
    expect(await all()).toMatchObject({ one: { state: 'running' } });
  });
});

it('edges are told of the end of a rollout as of a version of the policy, and of nothing else of it', async () => {
  await write(written('one'));
  const client = await test.database.connectAlone();
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => heard.push(payload));
  await client.query('LISTEN svc_changes');
  await judge();
  await new UnitOfWork(test.database).transaction(async (tx) => {
    await prismaOf(tx).rollout.updateMany({ data: { state: 'removed', endedAt: new Date(), dueAt: null } });
  });
  await client.query('SELECT 1');
  expect(heard.map((payload) => JSON.parse(payload ?? '') as object)).toEqual([
    { table: 'policy_versions', organization_id: ORG },
  ]);
  await client.end();
});
