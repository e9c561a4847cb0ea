import { GatewayError } from '@svc/kernel';
import { openDatabase, type Database } from '../database/database';
import { openTestDatabase, startSilentProxy, type SilentProxy, type TestDatabase } from '../testing';
import { type HoldRequest } from './hold-request';
import { LedgerStore } from './ledger-store';
import { holdOf, LedgerWorld, settlementOf } from './testing/ledger-world';

let test: TestDatabase;
let world: LedgerWorld;
let proxy: SilentProxy;
/** Connected through the proxy. */
let distant: Database;
beforeEach(async () => {
  test = await openTestDatabase();
  world = new LedgerWorld(test.database);
  proxy = await startSilentProxy(test.url);
  distant = openDatabase({ url: proxy.url, poolSize: 2 });
});
afterEach(async () => {
  proxy.resume();
  await distant.close();
  await proxy.close();
  await test.close();
});

const refusalOf = async (store: LedgerStore, hold: HoldRequest): Promise<unknown> => {
  const error = await store.openHold(hold).catch((thrown: unknown) => thrown);
  return error instanceof GatewayError ? error.reason : error;
};
const arrived = () => new Promise((resolve) => setTimeout(resolve, 300));

/** Holds and settles once, so that a connection is open. */
async function warmUp(store: LedgerStore, organizationId: string): Promise<void> {
  const hold = holdOf(organizationId, 1);
  await store.openHold(hold);
  await store.settle(settlementOf(hold, 0));
}

describe('a hold', () => {
  it('that the server does not answer is refused within 5 s, and nothing is held once it answers again', async () => {
    const organizationId = await world.newOrganization(1_000);
    const store = new LedgerStore(distant);
    await warmUp(store, organizationId);
    proxy.silence();
    const startedAt = performance.now();
    const holds = Array.from({ length: 20 }, () => holdOf(organizationId, 10));
    const refusals = await Promise.all(holds.map((hold) => refusalOf(store, hold)));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(refusals).toEqual(Array(20).fill('overloaded'));
    proxy.resume();
    await store.drain();
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });
    expect(await test.database.prisma.requestRecord.count({ where: { status: 'pending' } })).toBe(0);
  });

  it('whose statement arrives after its release is not opened, and neither are those of its batch', async () => {
    const organizationId = await world.newOrganization(1_000);
    const halfOpen = new LedgerStore({ ...test.database, books: distant.books });
    await warmUp(halfOpen, organizationId);
    proxy.silence('both');
    const holds = [holdOf(organizationId, 100), holdOf(organizationId, 200)];
    expect(await Promise.all(holds.map((hold) => refusalOf(halfOpen, hold)))).toEqual(
      Array(2).fill('overloaded'),
    );
    await halfOpen.drain();
    proxy.resume();
    await arrived();
    expect(await Promise.all(holds.map((hold) => world.recordOf(hold)))).toEqual([null, null]);
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });
    // Another call is still held.
    expect((await halfOpen.openHold(holdOf(organizationId, 500))).held).toBe(500n);
  });

  it('whose answer was lost on a connection that was cut is released where it was opened', async () => {
    const organizationId = await world.newOrganization(1_000);
    const store = new LedgerStore(distant);
    await warmUp(store, organizationId);
    proxy.silence('answers');
    const hold = holdOf(organizationId, 100);
    const refused = refusalOf(store, hold);
    await arrived();
    expect(await world.recordOf(hold)).toMatchObject({ status: 'pending' });
    proxy.cut();
    proxy.resume();
    expect(await refused).toBe('overloaded');
    await store.drain();
    expect(await world.recordOf(hold)).toMatchObject({ status: 'failed', customerNanos: 0n });
    expect(await world.walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });
  });

  it('that waited too long for its wallet holds nothing afterwards', async () => {
    const organizationId = await world.newOrganization(1_000);
    const unlock = await world.lockWallet(organizationId);
    const store = new LedgerStore(test.database);
    const holds = [holdOf(organizationId, 100), holdOf(organizationId, 100)];
    expect(await Promise.all(holds.map((hold) => refusalOf(store, hold)))).toEqual(
      Array(2).fill('overloaded'),
    );
    await unlock();
    await store.drain();
    expect((await store.openHold(holdOf(organizationId, 1_000))).held).toBe(1_000n);
    expect(await test.database.prisma.requestRecord.count({ where: { status: 'pending' } })).toBe(1);
  });
});
