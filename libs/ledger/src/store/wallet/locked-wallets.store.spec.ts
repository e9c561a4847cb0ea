import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { holdOf, LedgerWorld, settlementOf } from '../../testing/ledger-world';
import { LedgerStore } from './ledger-store';

let test: TestDatabase;
let world: LedgerWorld;
beforeEach(async () => {
  test = await emptyTestDatabase();
  world = new LedgerWorld(test.database);
});
afterEach(() => test.close());

/** Longer than a statement of the ledger waits for a lock. */
const LOCKED_MS = 1_500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a settlement waits for its locked wallet for as long as that takes, and is made once', async () => {
  const ledger = new LedgerStore(test.database);
  const organizationId = await world.newOrganization(1_000);
  const holds = [holdOf(organizationId, 100), holdOf(organizationId, 100)];
  await Promise.all(holds.map((hold) => ledger.openHold(hold)));
  const unlock = await world.lockWallet(organizationId);
  const settled = Promise.all(holds.map((hold) => ledger.settle(settlementOf(hold, 60))));
  await pause(LOCKED_MS);
  await unlock();
  expect(await settled).toEqual([true, true]);
  expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 880n, heldNanos: 0n });
});
