import { readFile } from 'node:fs/promises';
import { sleep } from '../harness/sleep';
import { rowsOf } from '../harness/database-session';
import { countOf, crowd, EDGES } from '../distributed/three-edges';
import { limitedTo, type AccountAnswer, type Arrival } from './provider-accounts';
import {
  byEachEdge,
  EDGE_NUMBERS,
  LARGE,
  SMALL,
  startPooledEdges,
  upstreamModel,
  type Pool,
  type PooledEdges,
} from './pooled-edges';

const SESSIONS = 10_000;
const UPGRADED_SESSIONS = 1_000;
const PER_MINUTE = 100;
const SENT = 400;
const LARGE_SESSIONS = 60;
/** Two trials of a rest of an hour, and the first four rests of a provider that asks for nothing. */
const WATCHED_MS = 75_000;
const PAUSE_MS = 300;
const UPGRADE = 'libs/database/prisma/migrations/20261130130000_credential_pools/migration.sql';

let edges: PooledEdges;
beforeAll(async () => {
  edges = await startPooledEdges();
});
afterAll(() => edges.stop());

const arrivalsAt = (secret: string, model = SMALL): readonly Arrival[] =>
  edges.accounts.arrivals.filter((one) => one.account === secret && one.model === upstreamModel(model));

describe('five credentials of 100 calls a minute, over three edges', () => {
  it.each([
    ['equal weights, told of what is left', true, [100, 100, 100, 100, 100]],
    ['half of them to the first, told of what is left', true, [1_000, 250, 250, 250, 250]],
    ['half of them to the first, told of nothing', false, [1_000, 250, 250, 250, 250]],
  ])('answer 400 calls a minute with %s: no 429 reaches a caller', async (_, tells, weights) => {
    const pool = await edges.newPool(...weights);
    const placesBefore = await placesOfLarge(pool);
    for (const secret of pool.secrets) {
      const limited = limitedTo(PER_MINUTE, tells);
      edges.accounts.answer(secret, (asked) =>
        asked.model === upstreamModel(SMALL) ? limited(asked) : { status: 200 },
      );
    }

    const outcomes = await byEachEdge(
      (sent) => sent < SENT,
      (edge, nth) => edges.call(pool, edge, String(nth)),
    );

    expect(countOf(outcomes)).toEqual({ '200': outcomes.length });
    expect(outcomes.length).toBeGreaterThanOrEqual(SENT);
    const refusals = pool.secrets.flatMap((secret) => refusalsByEdge(arrivalsAt(secret)));
    expect(Math.max(...refusals)).toBeLessThanOrEqual(1);
    if (!tells) expect(Math.max(...refusals)).toBe(1);
    // Of another model no limit is known: each of its conversations stays where it is.
    expect(await placesOfLarge(pool)).toEqual(placesBefore);
  });

  it('answer 400 at once too', async () => {
    const pool = await edges.newPool(100, 100, 100, 100, 100);
    for (const secret of pool.secrets) edges.accounts.answer(secret, limitedTo(PER_MINUTE, false));
    const outcomes = await crowd(Array.from({ length: SENT }), (_, nth) =>
      edges.call(pool, nth % EDGES, String(nth)),
    );
    expect(countOf(outcomes)).toEqual({ '200': SENT });
  });

  const refusalsByEdge = (arrivals: readonly Arrival[]): readonly number[] =>
    EDGE_NUMBERS.map((at) => arrivals.filter(({ edge, status }) => edge === at && status === 429).length);

  /** Where conversations with the other model are answered. */
  async function placesOfLarge(pool: Pool): Promise<ReadonlyMap<string, string>> {
    const from = edges.accounts.arrivals.length;
    for (let nth = 0; nth < LARGE_SESSIONS; nth++) {
      const session = `large-${String(nth)}`;
      expect(await edges.call(pool, nth % EDGES, session, { model: LARGE, session })).toBe('200');
    }
    const arrivals = edges.accounts.arrivals.slice(from);
    expect(arrivals).toHaveLength(LARGE_SESSIONS);
    return new Map(arrivals.map(({ mark, account }) => [mark, account]));
  }
});

const refuse = (retryAfter: () => string) => (): AccountAnswer => ({
  status: 429,
  headers: { 'retry-after': retryAfter() },
});

/** By what the provider says: the least time between its refusals, in milliseconds. */
const FORMS: Readonly<Record<string, readonly [() => string, readonly number[]]>> = {
  seconds: [() => '20', [20_000, 20_000, 20_000]],
  // A date has no fraction of a second.
  'a date': [() => new Date(Date.now() + 21_000).toUTCString(), [20_000, 20_000, 20_000]],
  'a negative number': [() => '-5', [10_000, 20_000, 40_000]],
  '10⁹ seconds': [() => '1000000000', [60_000]],
  'a text': [() => 'soon', [10_000, 20_000, 40_000]],
};

it('a credential that a provider limits is called by no edge before the time that `Retry-After` says, but for a trial each minute', async () => {
  const pools = await Promise.all(
    Object.entries(FORMS).map(async ([form, [retryAfter, gapsMs]]) => {
      const pool = await edges.newPool(100, 0);
      edges.accounts.answer(pool.secrets[0] ?? '', refuse(retryAfter));
      return { form, pool, gapsMs };
    }),
  );
  const untilMs = Date.now() + WATCHED_MS;
  const outcomes = await Promise.all(
    pools.map(({ pool }) =>
      byEachEdge(
        () => Date.now() < untilMs,
        async (edge, nth) => {
          await sleep(PAUSE_MS);
          return edges.call(pool, edge, String(nth));
        },
      ),
    ),
  );
  expect(countOf(outcomes.flat())).toEqual({ '200': outcomes.flat().length });
  for (const { form, pool, gapsMs } of pools) {
    const rests = restsOf(arrivalsAt(pool.secrets[0] ?? ''));
    const tooEarly = rests
      .slice(1)
      .filter(({ firstMs }, at) => firstMs - (rests[at]?.firstMs ?? 0) < (gapsMs[at] ?? 0));
    const metTwice = rests.filter(({ edges: met }) => new Set(met).size < met.length);
    expect({ form, tooEarly, metTwice }).toEqual({ form, tooEarly: [], metTwice: [] });
    expect(rests.length).toBe(gapsMs.length + 1);
  }
});

/** Rests that edges met at about the same time, before they had told each other. */
interface MetRest {
  readonly firstMs: number;
  readonly edges: readonly number[];
}

const TOLD_WITHIN_MS = 5_000;

function restsOf(arrivals: readonly Arrival[]): readonly MetRest[] {
  const rests: { firstMs: number; edges: number[] }[] = [];
  for (const { atMs, edge } of arrivals) {
    const last = rests.at(-1);
    if (last !== undefined && atMs - last.firstMs < TOLD_WITHIN_MS) last.edges.push(edge);
    else rests.push({ firstMs: atMs, edges: [edge] });
  }
  return rests;
}

describe('the calls of a pool', () => {
  it(`are shared 3:1 by weights of 3:1, over ${String(SESSIONS)} sessions and three edges`, async () => {
    const pool = await edges.newPool(300, 100);
    expect(await shareOfFirst(pool, SESSIONS)).toBeGreaterThanOrEqual(0.73);
    expect(arrivalsAt(pool.secrets[0] ?? '').length / SESSIONS).toBeLessThanOrEqual(0.77);
  });

  // The last one: it upgrades all credentials of the database.
  it('all go after the upgrade where they went before: to the newest of three active credentials', async () => {
    const pool = await edges.newPool(100, 100, 100);
    const [upgrade] = /^UPDATE provider_credentials[^;]*;/m.exec(await readFile(UPGRADE, 'utf8')) ?? [];
    await rowsOf(edges.svc.databaseUrl, upgrade ?? '');
    await shareOfFirst(pool, UPGRADED_SESSIONS);
    expect(pool.secrets.map((secret) => arrivalsAt(secret).length)).toEqual([0, 0, UPGRADED_SESSIONS]);
  });

  /** Each call is a session. */
  async function shareOfFirst(pool: Pool, sessions: number): Promise<number> {
    const outcomes = await crowd(Array.from({ length: sessions }), (_, nth) =>
      edges.call(pool, nth % EDGES, String(nth), { session: `session-${String(nth)}` }),
    );
    expect(countOf(outcomes)).toEqual({ '200': sessions });
    return arrivalsAt(pool.secrets[0] ?? '').length / sessions;
  }
});
