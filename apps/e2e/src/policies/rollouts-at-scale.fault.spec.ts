import { createHash } from 'node:crypto';
import { eventually } from '@svc/testing';
import { accountsCatalog, EDGE_NUMBERS, LARGE, SMALL, upstreamModel } from '../credential-pools/pooled-edges';
import {
  markedAs,
  startProviderAccounts,
  type ProviderAccounts,
} from '../credential-pools/provider-accounts';
import { newKey, of, type Tenant } from '../distributed/tenant';
import { askAs, countOf, crowd, EDGES, startEdges, type Edges } from '../distributed/three-edges';
import { sleep } from '../harness/sleep';
import { rowsOf } from '../harness/database-session';

const END_USERS = 2_000;
const KEPT_OUT_CALLS = 300;
const MIN_CALLS = 50;
const PAUSE_MS = 50;
const LOOK_EVERY_MS = 250;
/** The promised times of a treatment that fails wholly, and of edges that hear of its end. */
const ABORTED_WITHIN_MS = 30_000;
const HEARD_WITHIN_MS = 30_000;
/** How long calls go on behind that. */
const WATCHED_MS = 10_000;

let provider: ProviderAccounts;
let edges: Edges;
beforeAll(async () => {
  provider = await startProviderAccounts();
  edges = await startEdges({ catalog: accountsCatalog(provider.url, null), workers: 2 });
});
afterAll(async () => {
  await edges.stop();
  await provider.close();
});

const api = (tenant: Tenant, method: string, path: string, body?: object) =>
  askAs(tenant, edges.svc, method, path, body);
const roll = async (tenant: Tenant, fields: object) => {
  const rollouts = [{ name: 'trial', model: SMALL, to: { model: LARGE }, by: 'end_user', ...fields }];
  of(200, await api(tenant, 'PUT', '/policy', { rollouts }));
};
const callOf = (edge: number, person: string) => ({
  body: { model: SMALL, max_tokens: 20, messages: [markedAs(person, edge)] },
  headers: { 'svc-end-user': person },
});
const send = (edge: number, secret: string, person: string) => edges.send(edge, secret, callOf(edge, person));

/** Who takes part by the rule of docs/rollouts.md, of those whom the records of an organization name. */
async function partOf({ organizationId }: Tenant, shareBps: bigint): Promise<ReadonlySet<string>> {
  const people = await rowsOf<{ end_user: string; end_user_id: string }>(
    edges.svc.databaseUrl,
    'SELECT DISTINCT end_user, end_user_id FROM request_records WHERE organization_id = $1',
    [organizationId],
  );
  const part = people.filter(({ end_user_id: id }) => {
    const digest = createHash('sha256').update(`trial\0${id}`).digest('hex').slice(0, 16);
    return BigInt(`0x${digest}`) % 10_000n < shareBps;
  });
  return new Set(part.map(({ end_user: name }) => name));
}

/** The models that answered each end user. */
const modelsSince = (from: number): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    [...Map.groupBy(provider.arrivals.slice(from), ({ mark }) => mark)].map(([person, arrivals]) => [
      person,
      new Set(arrivals.map(({ model }) => model)),
    ]),
  );
const treatedIn = (models: ReturnType<typeof modelsSince>): ReadonlySet<string> =>
  new Set([...models].flatMap(([person, all]) => (all.has(upstreamModel(LARGE)) ? [person] : [])));

it(`of ${String(END_USERS)} end users, none changes arms over repeats and edges, and a larger share keeps whom it had`, async () => {
  const tenant = await edges.newTenant();
  const { secret } = await newKey(edges.svc, tenant);
  await roll(tenant, { share_bps: 500 });
  const people = Array.from({ length: END_USERS }, (_, nth) => `person-${String(nth)}`);
  const repeated = people.flatMap((person) => EDGE_NUMBERS.map(() => person));
  const before = provider.arrivals.length;
  const outcomes = await crowd(repeated, (person, nth) => send(nth % EDGES, secret, person));
  expect(countOf(outcomes)).toEqual({ '200': repeated.length });
  const models = modelsSince(before);
  expect([...models].filter(([, { size }]) => size !== 1)).toEqual([]);
  const first = treatedIn(models);
  expect(first).toEqual(await partOf(tenant, 500n));

  await roll(tenant, { share_bps: 2_000 });
  const more = await partOf(tenant, 2_000n);
  const joined = [...more].find((person) => !first.has(person)) ?? '';
  for (const edge of EDGE_NUMBERS) {
    await eventually(async () => {
      await send(edge, secret, joined);
      expect(provider.arrivals.at(-1)?.model).toBe(upstreamModel(LARGE));
    });
  }
  const from = provider.arrivals.length;
  await crowd(people, (person, nth) => send(nth % EDGES, secret, person));
  const second = treatedIn(modelsSince(from));
  expect([...first].filter((person) => !second.has(person))).toEqual([]);
  expect(second).toEqual(more);
});

it('a key whose policy denies the target sends no call there, and all of them are answered', async () => {
  const tenant = await edges.newTenant();
  const { secret } = await newKey(edges.svc, tenant, { policy: { denied_models: [LARGE] } });
  await roll(tenant, { share_bps: 10_000 });
  const from = provider.arrivals.length;
  const outcomes = await crowd(Array.from({ length: KEPT_OUT_CALLS }), (_, nth) =>
    send(nth % EDGES, secret, `kept-out-${String(nth)}`),
  );
  expect(countOf(outcomes)).toEqual({ '200': KEPT_OUT_CALLS });
  expect(treatedIn(modelsSince(from)).size).toBe(0);
});

describe('a treatment that fails wholly, over three edges and two workers,', () => {
  it.each([
    ['both workers', false],
    ['one worker, where the other is killed meanwhile,', true],
  ])('is aborted by %s within 30 s, told once, and gets no call 30 s later', async (_, isKilled) => {
    provider.answerModel(upstreamModel(LARGE), () => ({ status: 500 }));
    const tenant = await edges.newTenant();
    const { secret } = await newKey(edges.svc, tenant);
    await roll(tenant, { share_bps: 10_000, abort: { max_error_rate_bps: 500, min_calls: MIN_CALLS } });
    const load = startLoad(secret);

    const judgedFromMs = await load.sent(MIN_CALLS);
    if (isKilled) await edges.svc.workers[0]?.kill();
    const abortedAtMs = await aborted(tenant);
    expect(abortedAtMs - judgedFromMs).toBeLessThanOrEqual(ABORTED_WITHIN_MS);

    await sleep(HEARD_WITHIN_MS);
    if (isKilled) await edges.svc.workers[0]?.start();
    const heardAtMs = Date.now();
    await sleep(WATCHED_MS);
    const outcomes = await load.stop(heardAtMs);
    expect(countOf(outcomes)).toEqual({ '200': outcomes.length });
    expect(outcomes.length).toBeGreaterThan(MIN_CALLS);
    const late = provider.arrivals.filter(
      ({ model, atMs }) => model === upstreamModel(LARGE) && atMs > abortedAtMs + HEARD_WITHIN_MS,
    );
    expect(late).toEqual([]);
    expect(await toldOf(tenant)).toEqual({ events: 1, entries: 1 });
  });
});

/** Calls at every edge until it is stopped, each by an end user of its own. */
function startLoad(secret: string) {
  const ended: { readonly atMs: number; readonly outcome: string }[] = [];
  let isStopped = false;
  let people = 0;
  const lanes = EDGE_NUMBERS.map(async (edge) => {
    while (!isStopped) {
      const outcome = await send(edge, secret, `subject-${String(people++)}`);
      ended.push({ atMs: Date.now(), outcome });
      await sleep(PAUSE_MS);
    }
  });
  return {
    /** @returns when so many calls had ended */
    sent: (count: number): Promise<number> =>
      eventually(() => {
        const last = ended[count - 1];
        if (last === undefined) throw new Error(`Only ${String(ended.length)} calls have ended.`);
        return last.atMs;
      }, ABORTED_WITHIN_MS),
    /** @returns the outcomes of calls that ended since then */
    stop: async (fromMs: number): Promise<readonly string[]> => {
      isStopped = true;
      await Promise.all(lanes);
      return ended.filter(({ atMs }) => atMs >= fromMs).map(({ outcome }) => outcome);
    },
  };
}

/** @returns when the one rollout of the organization was seen to be aborted, at most twice the promised time later */
async function aborted(tenant: Tenant): Promise<number> {
  const untilMs = Date.now() + 2 * ABORTED_WITHIN_MS;
  for (;;) {
    const [one] = of(200, await api(tenant, 'GET', '/rollouts')).data as readonly { state: string }[];
    const nowMs = Date.now();
    if (one?.state === 'aborted') return nowMs;
    if (nowMs > untilMs) throw new Error(`The rollout is ${String(one?.state)}.`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** How often the end of its rollout was told, and how often the audit log has it. */
async function toldOf({ organizationId }: Tenant) {
  const count = async (statement: string) =>
    (await rowsOf(edges.svc.databaseUrl, statement, [organizationId])).length;
  return {
    events: await count(
      `SELECT id FROM outbox_events WHERE organization_id = $1 AND type = 'rollout.aborted'`,
    ),
    entries: await count(
      `SELECT id FROM audit_entries WHERE organization_id = $1 AND action = 'rollout.abort'`,
    ),
  };
}
