import { eventually, inParallel } from '@svc/testing';
import { sleep } from '../harness/sleep';
import { countOf, EDGES } from '../distributed/three-edges';
import { of } from '../distributed/tenant';
import { type Arrival } from './provider-accounts';
import { byEachEdge, EDGE_NUMBERS, startPooledEdges, type Pool, type PooledEdges } from './pooled-edges';

const SESSIONS = 200;
const TURNS = 6;
const IN_FLIGHT = 24;
/** The turn in which the account is refused: each session is pinned by then. */
const REFUSED_TURN = 3;
const TRIAL_AFTER_MS = 5 * 60_000;
/** Less than a cache lives, so that only the change feed can be as fast. */
const AT_ONCE_MS = 5_000;
const PAUSE_MS = 200;
/** How long after the trial's time a call that would be one comes, on a busy machine. */
const SOON_MS = 30_000;

let edges: PooledEdges;
beforeAll(async () => {
  edges = await startPooledEdges();
});
afterAll(() => edges.stop());

const arrivalsAt = (secret: string): readonly Arrival[] =>
  edges.accounts.arrivals.filter(({ account }) => account === secret);

describe('an account that refuses its credential amid 200 sessions, over three edges', () => {
  let pool: Pool;
  let refused: string;
  let refusedAtMs: number;
  let nth = 0;

  it('fails no call: those that were pinned to it go on with another in the same call', async () => {
    pool = await edges.newPool(100, 100, 100, 100, 100);
    [refused = ''] = pool.secrets;
    const outcomes = await inParallel(Array.from({ length: SESSIONS }), IN_FLIGHT, async (_, session) => {
      const inSession: string[] = [];
      for (let turn = 0; turn < TURNS; turn++) {
        if (turn === REFUSED_TURN && session > SESSIONS / 2) refuse();
        inSession.push(await turnOf(session, turn));
      }
      return inSession;
    });

    expect(countOf(outcomes.flat())).toEqual({ '200': SESSIONS * TURNS });
    const refusals = arrivalsAt(refused).filter(({ status }) => status === 401);
    expect(refusals.length).toBeGreaterThan(0);
    // Of those under way at once.
    expect(refusals.length).toBeLessThanOrEqual(IN_FLIGHT);
    for (const { mark } of refusals) {
      const tries = edges.accounts.arrivals.filter((one) => one.mark === mark);
      expect(tries.map(({ status }) => status)).toEqual([401, 200]);
    }
    refusedAtMs = refusals[0]?.atMs ?? 0;
  });

  it('gets no call until its trial after 5 minutes, though it is paid again', async () => {
    edges.accounts.answer(refused, null);
    const from = arrivalsAt(refused).length;
    await keepCalling(() => Date.now() < refusedAtMs + (TRIAL_AFTER_MS * 3) / 4);
    expect(arrivalsAt(refused).length).toBe(from);
  });

  it('comes back by its trial, at every edge and without a hand', async () => {
    const isBack = (edge: number) =>
      arrivalsAt(refused).some((one) => one.edge === edge && one.status === 200 && one.atMs > dueAtMs);
    const dueAtMs = refusedAtMs + TRIAL_AFTER_MS;
    await keepCalling(() => !EDGE_NUMBERS.every(isBack) && Date.now() < dueAtMs + SOON_MS);
    expect(EDGE_NUMBERS.filter(isBack)).toEqual(EDGE_NUMBERS);
    const tooEarly = arrivalsAt(refused).filter(({ atMs }) => atMs > refusedAtMs + SOON_MS && atMs < dueAtMs);
    expect(tooEarly).toEqual([]);
  });

  const refuse = () => {
    edges.accounts.answer(refused, () => ({ status: 401 }));
  };
  const turnOf = (session: number, turn: number) => {
    const edge = (session + turn) % EDGES;
    const id = `session-${String(session)}`;
    return edges.call(pool, edge, `${id}, turn ${String(turn)}`, { session: id });
  };

  /** New sessions at every edge, of which none may fail. */
  async function keepCalling(goesOn: () => boolean): Promise<void> {
    const outcomes = await byEachEdge(goesOn, async (edge) => {
      await sleep(PAUSE_MS);
      return edges.call(pool, edge, `later ${String(nth++)}`);
    });
    expect(countOf(outcomes)).toEqual({ '200': outcomes.length });
  }
});

it('a refused credential that is rotated gets the next call, at every edge', async () => {
  const pool = await edges.newPool(100, 0);
  const [main = '', spare = ''] = pool.secrets;
  edges.accounts.answer(main, () => ({ status: 402 }));
  const call = async (edge: number) => {
    const mark = `rotated ${String(edges.accounts.arrivals.length)}`;
    expect(await edges.call(pool, edge, mark)).toBe('200');
    return edges.accounts.arrivals.at(-1)?.account;
  };
  for (const edge of [...EDGE_NUMBERS, ...EDGE_NUMBERS]) expect(await call(edge)).toBe(spare);
  const met = arrivalsAt(main).length;
  expect(met).toBeLessThanOrEqual(EDGES);

  const path = `/provider-credentials/${pool.credentialIds[0] ?? ''}/rotate`;
  of(200, await edges.api(pool.tenant, 'POST', path, { secret: 'sk-rotated' }));
  for (const edge of EDGE_NUMBERS) {
    await eventually(async () => {
      expect(await call(edge)).toBe('sk-rotated');
    }, AT_ONCE_MS);
  }
  expect(arrivalsAt(main).length).toBe(met);
});
