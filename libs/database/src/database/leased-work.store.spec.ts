import { openTestDatabase, type TestDatabase } from '../testing';
import { DueWork } from './due-work';
import { type Claim, LeasedWork } from './leased-work';
import { LeaseLostError } from './lease-lost-error';
import { UnitOfWork } from './unit-of-work';

let test: TestDatabase;
let work: LeasedWork;
let unitOfWork: UnitOfWork;
beforeAll(async () => {
  test = await openTestDatabase();
  await test.database.pool.query(`
    CREATE TABLE errands (id text PRIMARY KEY, kind text NOT NULL DEFAULT 'plain', claims int NOT NULL DEFAULT 0,
      due_at timestamptz(3), lease_until timestamptz(3), fence bigint NOT NULL DEFAULT 0)`);
  work = new LeasedWork(test.database, { table: 'errands', what: 'the errand' });
  unitOfWork = new UnitOfWork(test.database);
});
afterAll(() => test.close());
beforeEach(() => test.database.pool.query('TRUNCATE errands'));

/** @param dueAt by id, as SQL. */
async function add(dueAt: Readonly<Record<string, string>>, kind = 'plain'): Promise<void> {
  for (const [id, at] of Object.entries(dueAt))
    await test.database.pool.query(`INSERT INTO errands (id, kind, due_at) VALUES ($1, $2, ${at})`, [
      id,
      kind,
    ]);
}
const minutesAgo = (minutes: number) => `now() - ${String(minutes)} * interval '1 minute'`;
const idsOf = (claims: readonly Claim[]) => claims.map(({ id }) => id).sort();
const lapse = () => test.database.pool.query(`UPDATE errands SET lease_until = now() - interval '1 s'`);
const claimOne = async (): Promise<Claim> => {
  const claim = await work.claimOne();
  if (claim === null) throw new Error('Nothing is due.');
  return claim;
};

it('is due while there is a row that a claim would take', async () => {
  let nowMs = 0;
  // An answer counts for a while.
  const dueWork = new DueWork(test.database.pool, () => (nowMs += 1_000));
  const asked = new LeasedWork({ ...test.database, dueWork }, { table: 'errands', what: 'the errand' });
  await add({ soon: minutesAgo(-1), done: 'NULL' });
  expect(await asked.isDue()).toBe(false);
  await add({ late: minutesAgo(1) });
  expect(await asked.isDue()).toBe(true);
  await claimOne();
  expect(await asked.isDue()).toBe(false);
  await lapse();
  expect(await asked.isDue()).toBe(true);
});

describe('a claim', () => {
  it('takes what has been due for longest, so many, and nothing that is due later or never', async () => {
    await add({ late: minutesAgo(9), later: minutesAgo(8), latest: minutesAgo(7) });
    await add({ soon: minutesAgo(-1), done: 'NULL' });
    expect(idsOf(await work.claim(2))).toEqual(['late', 'later']);
    expect(idsOf(await work.claim(10))).toEqual(['latest']);
    expect(await work.claimOne()).toBeNull();
  });

  it('is one worker’s, however many claim at once', async () => {
    await add(
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`errand_${String(at)}`, minutesAgo(at)])),
    );
    const claims = await Promise.all(Array.from({ length: 8 }, () => work.claim(3)));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('ends with its time, and the next one has a higher fence', async () => {
    await add({ one: minutesAgo(1) });
    const first = await claimOne();
    await lapse();
    const second = await claimOne();
    expect(second).toEqual({ id: 'one', fence: first.fence + 1n });
  });

  it('takes only what the table allows, in its order, with its change', async () => {
    await add({ a: minutesAgo(1), b: minutesAgo(2) });
    await add({ c: minutesAgo(3) }, 'odd');
    const table = { table: 'errands', what: 'the errand', where: `due.kind = 'plain'`, orderBy: 'due.id' };
    const picky = new LeasedWork(test.database, { ...table, onClaim: 'claims = claims + 1' });
    expect((await picky.claimOne())?.id).toBe('a');
    expect(idsOf(await picky.claim(10))).toEqual(['b']);
    const { rows } = await test.database.pool.query('SELECT id, claims FROM errands ORDER BY id');
    expect(rows).toEqual([
      { id: 'a', claims: 1 },
      { id: 'b', claims: 1 },
      { id: 'c', claims: 0 },
    ]);
  });

  it('passes by what somebody has locked', async () => {
    await add({ one: minutesAgo(1) });
    const claim = await claimOne();
    await lapse();
    await unitOfWork.transaction(async (tx) => {
      expect(await work.lock(tx, claim, 'kind')).toEqual({ kind: 'plain' });
      expect(await work.claimOne()).toBeNull();
    });
    expect(await work.claimOne()).not.toBeNull();
  });
});

describe('whose claim is not the last one', () => {
  let old: Claim;
  beforeEach(async () => {
    await add({ one: minutesAgo(1) });
    old = await claimOne();
    await lapse();
    await claimOne();
  });

  it('neither locks nor prolongs', async () => {
    const locking = unitOfWork.transaction((tx) => work.lock(tx, old));
    await expect(locking).rejects.toThrow(new LeaseLostError('another worker has the errand'));
    await expect(work.prolong(old)).rejects.toThrow(LeaseLostError);
    await expect(unitOfWork.transaction((tx) => work.prolong(old, tx))).rejects.toThrow(LeaseLostError);
  });

  it('changes nothing', async () => {
    const rowOf = async () => (await test.database.pool.query('SELECT * FROM errands')).rows;
    const before = await rowOf();
    await work.postpone(old, 1_000);
    await work.giveBack(old, 'due_at = NULL');
    await unitOfWork.transaction((tx) => work.postpone(old, 1_000, tx));
    expect(await rowOf()).toEqual(before);
  });
});

describe('a row that is given back', () => {
  it('is due again at its time, within a transaction too', async () => {
    await add({ now: minutesAgo(2), later: minutesAgo(1) });
    const [first, second] = [await claimOne(), await claimOne()];
    await work.postpone(second, 60_000);
    await unitOfWork.transaction(async (tx) => {
      await work.lock(tx, first);
      await work.postpone(first, 0, tx);
    });
    expect(idsOf(await work.claim(10))).toEqual(['now']);
  });

  it('is changed as said, and not prolonged any more', async () => {
    await add({ one: minutesAgo(1) });
    const claim = await claimOne();
    await work.prolong(claim);
    await work.giveBack(claim, 'due_at = NULL, kind = $3', ['done']);
    const { rows } = await test.database.pool.query('SELECT kind, due_at, lease_until FROM errands');
    expect(rows).toEqual([{ kind: 'done', due_at: null, lease_until: null }]);
    await expect(work.prolong(claim)).rejects.toThrow(LeaseLostError);
  });
});
