import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { inParallel, seedOfThisRun } from '@svc/testing';
import fc from 'fast-check';
import { callCost } from '../../rules/prices/call-cost';
import { oracleCharge, pricedUsages, pricesOf, type PricedUsage } from '../../testing/charge-oracle';
import { holdOf, LedgerWorld, settlementOf } from '../../testing/ledger-world';
import { LedgerStore } from './ledger-store';

const CALLS = 20_000;
const IN_FLIGHT = 64;
const CREDIT = Number.MAX_SAFE_INTEGER;

let test: TestDatabase;
let world: LedgerWorld;
/** Two processes. */
let ledgers: readonly LedgerStore[];
beforeAll(async () => {
  test = await openTestDatabase();
  world = new LedgerWorld(test.database);
  ledgers = [new LedgerStore(test.database), new LedgerStore(test.database)];
});
afterAll(() => test.close());

it.each([11_550, 9_001])(
  `at %d basis points, ${String(CALLS)} calls are charged what an oracle says, and usage, ledger and records have the same sums`,
  async (priceBps) => {
    const organizationId = await world.newOrganization(CREDIT);
    const priced = fc.sample(pricedUsages, { numRuns: CALLS, seed: seedOfThisRun });
    const byCall = new Map<string, PricedUsage>();
    await inParallel(priced, IN_FLIGHT, async (one, nth) => {
      byCall.set(await serve(organizationId, nth, one, priceBps), one);
    });

    const { rows } = await test.database.pool.query<{ request_id: string; amount: string }>(
      `SELECT request_id, amount_nanos::text AS amount FROM ledger_transfers WHERE organization_id = $1 AND kind = 'charge'`,
      [organizationId],
    );
    const wrong = rows.filter(({ request_id: id, amount }) => {
      const one = byCall.get(id);
      return one === undefined || BigInt(amount) !== oracleCharge(one, priceBps);
    });
    expect(wrong).toEqual([]);
    const total = priced.reduce((sum, one) => sum + oracleCharge(one, priceBps), 0n);
    expect(await sumsOf(organizationId)).toEqual({ ledger: total, records: total, usage: total });
    expect(rows.length).toBe(priced.filter((one) => oracleCharge(one, priceBps) > 0n).length);
    const balanceNanos = BigInt(CREDIT) - total;
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos, heldNanos: 0n });
  },
);

/** Holds what the call may cost, and settles it at what it cost. @returns its id */
async function serve(
  organizationId: string,
  nth: number,
  { usage, written }: PricedUsage,
  priceBps: number,
): Promise<string> {
  const { charge } = callCost(usage, pricesOf(written), { priceBps, ownCredentialBps: 0 }, 'platform');
  const hold = holdOf(organizationId, 0, { holdMin: charge, holdMax: nanos(charge + 1n) });
  const opened = await ledgers[nth % ledgers.length]!.openHold(hold);
  expect(opened.held).not.toBeNull();
  expect(await ledgers[(nth + 1) % ledgers.length]!.settle(settlementOf(hold, charge, { usage }))).toBe(true);
  return hold.requestId;
}

async function sumsOf(organizationId: string): Promise<Readonly<Record<string, bigint>>> {
  const { rows } = await test.database.pool.query<Record<string, string>>(
    `SELECT
       (SELECT sum(amount_nanos) FROM ledger_transfers WHERE organization_id = $1 AND kind = 'charge')::text AS ledger,
       (SELECT sum(customer_nanos) FROM request_records WHERE organization_id = $1)::text AS records,
       (SELECT sum(customer_nanos) FROM usage_days WHERE organization_id = $1)::text AS usage`,
    [organizationId],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, sum]) => [name, BigInt(sum)]));
}
