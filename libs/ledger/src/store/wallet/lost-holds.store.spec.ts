import { eventually } from '@svc/testing';
import { DistantLedger, refusalOf, warmUp } from '../../testing/distant-ledger';
import { holdOf } from '../../testing/ledger-world';
import { LedgerStore } from './ledger-store';

let ledger: DistantLedger;
beforeEach(async () => {
  ledger = await DistantLedger.open();
});
afterEach(() => ledger.close());

const arrived = () => new Promise((resolve) => setTimeout(resolve, 300));

describe('a hold', () => {
  it('whose statement arrives after its release is not opened, and neither are those of its batch', async () => {
    const organizationId = await ledger.world.newOrganization(1_000);
    const halfOpen = new LedgerStore({ ...ledger.test.database, books: ledger.distant.books });
    await warmUp(halfOpen, organizationId);
    ledger.proxy.silence('both');
    const holds = [holdOf(organizationId, 100), holdOf(organizationId, 200)];
    expect(await Promise.all(holds.map((hold) => refusalOf(halfOpen, hold)))).toEqual(
      Array(2).fill('overloaded'),
    );
    await halfOpen.drain();
    ledger.proxy.resume();
    await arrived();
    expect(await Promise.all(holds.map((hold) => ledger.world.recordOf(hold)))).toEqual([null, null]);
    expect(await ledger.world.walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });
    // Another call is still held.
    expect((await halfOpen.openHold(holdOf(organizationId, 500))).held).toBe(500n);
  });

  it('whose answer was lost on a connection that was cut is released where it was opened', async () => {
    const organizationId = await ledger.world.newOrganization(1_000);
    const store = new LedgerStore(ledger.distant);
    await warmUp(store, organizationId);
    ledger.proxy.silence('answers');
    const hold = holdOf(organizationId, 100);
    const refused = refusalOf(store, hold);
    await eventually(async () => {
      expect(await ledger.world.recordOf(hold)).toMatchObject({ status: 'pending' });
    });
    ledger.proxy.cut();
    ledger.proxy.resume();
    expect(await refused).toBe('overloaded');
    await store.drain();
    expect(await ledger.world.recordOf(hold)).toMatchObject({ status: 'failed', customerNanos: 0n });
    expect(await ledger.world.walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });
  });

  it('that waited too long for its wallet holds nothing afterwards', async () => {
    const organizationId = await ledger.world.newOrganization(1_000);
    const unlock = await ledger.world.lockWallet(organizationId);
    const store = new LedgerStore(ledger.test.database);
    const holds = [holdOf(organizationId, 100), holdOf(organizationId, 100)];
    expect(await Promise.all(holds.map((hold) => refusalOf(store, hold)))).toEqual(
      Array(2).fill('overloaded'),
    );
    await unlock();
    await store.drain();
    expect((await store.openHold(holdOf(organizationId, 1_000))).held).toBe(1_000n);
    expect(await ledger.test.database.prisma.requestRecord.count({ where: { status: 'pending' } })).toBe(1);
  });
});
