import { type Database } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { type Pool } from 'pg';
import { holdOf, LedgerWorld, settlementOf } from '../../testing/ledger-world';
import { type HoldRequest } from './hold-request';
import { LedgerStore } from './ledger-store';

let test: TestDatabase;
let world: LedgerWorld;
beforeAll(async () => {
  test = await openTestDatabase();
  world = new LedgerWorld(test.database);
});
afterAll(() => test.close());

/** A store whose first bookings, `times` of them, fail with this SQLSTATE. */
function storeRefused(state: string, times: number): LedgerStore {
  let left = times;
  const refusing = (pool: Pool): Pool =>
    Object.assign(Object.create(pool) as Pool, {
      query: (...args: Parameters<Pool['query']>) =>
        left-- > 0
          ? pool.query(`DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${state}'; END $$`)
          : pool.query(...args),
    });
  const { books, booksAside } = test.database;
  const database: Database = {
    ...test.database,
    books: refusing(books),
    booksAside: refusing(booksAside),
  };
  return new LedgerStore(database);
}

/** Cancels every running booking for two seconds. */
async function storm(): Promise<void> {
  for (let round = 0; round < 50; round++) {
    await test.database.pool.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'SELECT settled%' AND state = 'active'`,
    );
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

const openCall = async (amount = 1_000): Promise<HoldRequest> => {
  const hold = holdOf(await world.newOrganization(amount), amount);
  await new LedgerStore(test.database).openHold(hold);
  return hold;
};

describe('a settlement', () => {
  it.each([
    ['57014', 'its statement is cancelled'],
    ['55P03', 'a lock is not to be had in time'],
    ['58030', 'a file cannot be read'],
    ['XX000', 'the server has an internal error'],
    ['0A000', 'a cached plan does not fit any more'],
    ['26000', 'a prepared statement is gone'],
    ['25006', 'the server is read-only'],
    ['53100', 'the disk is full'],
    ['40P01', 'it is the victim of a deadlock'],
    ['57P01', 'the server shuts down'],
  ])('is made after %s: %s', async (state) => {
    const hold = await openCall();
    expect(await storeRefused(state, 3).settle(settlementOf(hold, 300))).toBe(true);
    expect(await world.walletOf(hold.organizationId)).toEqual({ balanceNanos: 700n, heldNanos: 0n });
    expect(await world.recordOf(hold)).toMatchObject({ status: 'succeeded', customerNanos: 300n });
    expect(await world.reasonsFor(hold)).toEqual([]);
  });

  it('is made by an edge whose backends are cancelled again and again', async () => {
    const organizations = await Promise.all(
      Array.from({ length: 10 }, () => world.newOrganization(1_000_000)),
    );
    const store = new LedgerStore(test.database);
    let charged = 0;
    let isOver = false;
    const calls = async (organizationId: string) => {
      while (!isOver) {
        const hold = holdOf(organizationId, 100);
        // A hold that is cancelled is refused: its caller may try again.
        if ((await store.openHold(hold).catch(() => null))?.held == null) continue;
        expect(await store.settle(settlementOf(hold, 70))).toBe(true);
        charged += 70;
      }
    };
    const calling = organizations.flatMap((id) => [calls(id), calls(id), calls(id)]);
    await storm();
    isOver = true;
    await Promise.all(calling);
    const wallets = await Promise.all(organizations.map((id) => world.walletOf(id)));
    expect(wallets.map((wallet) => wallet?.heldNanos)).toEqual(Array(10).fill(0n));
    const spent = wallets.reduce((sum, wallet) => sum + 1_000_000n - wallet!.balanceNanos, 0n);
    expect(spent).toBe(BigInt(charged));
    expect(charged).toBeGreaterThan(0);
  });

  it('that the books refuse for what it says is made without that, charged, and finance is asked to look', async () => {
    const hold = await openCall();
    // PostgreSQL refuses this character in JSON.
    const unfit = { attempts: [{ provider: 'a\u0000b', region: 'eu-west' }] };
    expect(await new LedgerStore(test.database).settle(settlementOf(hold, 300, unfit))).toBe(true);
    expect(await world.walletOf(hold.organizationId)).toEqual({ balanceNanos: 700n, heldNanos: 0n });
    expect(await world.recordOf(hold)).toMatchObject({
      status: 'reconciliation_required',
      customerNanos: 300n,
      attempts: [],
    });
    expect(await world.reasonsFor(hold)).toEqual(['settlement_refused']);
  });

  it.each(['57014', 'XX000'])(
    'that is ended with %s each time is made without what may be at fault',
    async (state) => {
      const hold = await openCall();
      // As often as the database is asked before the last resort.
      const store = storeRefused(state, 11);
      expect(await store.settle(settlementOf(hold, 300))).toBe(true);
      expect(await world.walletOf(hold.organizationId)).toEqual({ balanceNanos: 700n, heldNanos: 0n });
      expect(await world.reasonsFor(hold)).toEqual(['settlement_refused']);
    },
  );
});

describe('usage that no provider can have had', () => {
  const absurd = [2 ** 31 - 1, 2 ** 31, 3_000_000_000, Number.MAX_SAFE_INTEGER];

  it.each(absurd)(
    'of %d tokens of each kind is settled: at most the hold, the rest is the platform’s loss',
    async (count) => {
      const hold = await openCall();
      const charge = nanos(BigInt(count) * 600n);
      const usage = {
        inputTokens: count,
        cachedInputTokens: count,
        cacheWriteTokens: count,
        outputTokens: count,
        reasoningTokens: count,
      };
      expect(await new LedgerStore(test.database).settle(settlementOf(hold, charge, { usage }))).toBe(true);
      expect(await world.walletOf(hold.organizationId)).toEqual({ balanceNanos: 0n, heldNanos: 0n });
      expect(await world.recordOf(hold)).toMatchObject({ status: 'succeeded', outputTokens: 2 ** 31 - 1 });
      const mostNanos = BigInt(Number.MAX_SAFE_INTEGER);
      const booked = charge > mostNanos ? mostNanos : charge;
      expect(await world.transfersOf(hold)).toEqual({ charge: 1_000n, overrun: booked - 1_000n });
    },
  );
});
