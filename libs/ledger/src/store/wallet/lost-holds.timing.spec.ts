import { DistantLedger, refusalOf, warmUp } from '../../testing/distant-ledger';
import { holdOf } from '../../testing/ledger-world';
import { LedgerStore } from './ledger-store';

let ledger: DistantLedger;
beforeEach(async () => {
  ledger = await DistantLedger.open();
});
afterEach(() => ledger.close());

describe('a hold', () => {
  it('that the server does not answer is refused within 5 s, and nothing is held once it answers again', async () => {
    const organizationId = await ledger.world.newOrganization(1_000);
    const store = new LedgerStore(ledger.distant);
    await warmUp(store, organizationId);
    ledger.proxy.silence();
    const startedAt = performance.now();
    const holds = Array.from({ length: 20 }, () => holdOf(organizationId, 10));
    const refusals = await Promise.all(holds.map((hold) => refusalOf(store, hold)));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(refusals).toEqual(Array(20).fill('overloaded'));
    ledger.proxy.resume();
    await store.drain();
    expect(await ledger.world.walletOf(organizationId)).toEqual({ balanceNanos: 1_000n, heldNanos: 0n });
    expect(await ledger.test.database.prisma.requestRecord.count({ where: { status: 'pending' } })).toBe(0);
  });
});
