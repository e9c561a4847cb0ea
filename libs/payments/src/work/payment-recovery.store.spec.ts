import { type Transaction, UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { LedgerStore } from '@svc/ledger/store';
import { holdOf, LedgerWorld } from '@svc/ledger/testing';
import { systemIds } from '@svc/runtime';
import fc from 'fast-check';
import { type PaymentProvider } from '../rules/provider';
import { OwedCollection } from '../store/owed-collection';
import { PaymentRefunds } from '../store/payment-refunds';
import { PaymentStore } from '../store/payment-store';
import { ProviderEventStore } from '../store/provider-event-store';
import { ScriptedProvider } from '../testing/scripted-provider';
import { PaymentSettlement } from './payment-settlement';

const AMOUNT = 50_000_000_000n;
let test: TestDatabase;
let world: LedgerWorld;
let store: PaymentStore;
let provider: ScriptedProvider;

beforeAll(async () => {
  test = await openTestDatabase();
  world = new LedgerWorld(test.database);
  store = new PaymentStore(test.database);
});
beforeEach(() => {
  provider = new ScriptedProvider();
});
afterAll(() => test.close());

const settlementBy = (asked: PaymentProvider) =>
  new PaymentSettlement({
    database: test.database,
    provider: asked,
    baseUrl: 'https://svc.example',
    reconcileSeconds: 600,
  });

const inTransaction = (work: (tx: Transaction) => Promise<unknown>) =>
  new UnitOfWork(test.database).transaction(work);

async function newPayment(): Promise<{ id: string; organizationId: string }> {
  const [id, organizationId] = [systemIds('payment'), await world.newOrganization(0)];
  const createdBy = { type: 'user', id: 'usr_1' } as const;
  const amount = nanos(AMOUNT);
  const returns = { successUrl: null, cancelUrl: null, idempotencyKey: null };
  await inTransaction((tx) =>
    store.createPayment(tx, {
      id,
      organizationId,
      amount,
      livemode: false,
      ...returns,
      createdBy,
      at: new Date(),
    }),
  );
  return { id, organizationId };
}

/** As a worker does once leases and pauses are over. */
async function reconcile(): Promise<void> {
  await test.database.prisma.payment.updateMany({ data: { dueAt: new Date(0) } });
  while ((await settlementBy(provider).checkDue(100)).checked > 0);
}

const balanceOf = async (organizationId: string) =>
  (await test.database.prisma.wallet.findUnique({ where: { organizationId } }))?.balanceNanos ?? 0n;

type Call = 'open' | 'find' | 'end' | 'refund';

/** Asks in a process that is killed at one call, before or after the provider has heard it. */
async function checkAndDie(id: string, call: Call, heard: boolean): Promise<void> {
  const dead = Promise.withResolvers<undefined>();
  const dying = Object.create(provider) as PaymentProvider;
  Object.assign(dying, {
    [call]: async (...args: never[]) => {
      if (heard) await (provider[call] as (...args: never[]) => Promise<unknown>)(...args);
      dead.resolve(undefined);
      return new Promise(() => undefined);
    },
  });
  void settlementBy(dying).check(id);
  await dead.promise;
}

describe.each([false, true])('a kill at a call that the provider has heard: %s', (heard) => {
  it('while a checkout is opened leads to the same checkout', async () => {
    const { id } = await newPayment();
    await checkAndDie(id, 'open', heard);
    await reconcile();
    expect(provider.opened).toBe(1);
    expect(await store.findAnywhere(id)).toMatchObject({ state: 'pending', providerReference: `cs_${id}` });
  });

  it('while a paid payment is looked at leads to one credit', async () => {
    const { id, organizationId } = await newPayment();
    await reconcile();
    provider.set(`cs_${id}`, { standing: 'paid' });
    await checkAndDie(id, 'find', heard);
    await reconcile();
    expect(await balanceOf(organizationId)).toBe(AMOUNT);
  });

  it('while a checkout is ended leads to a cancelled payment', async () => {
    const { id } = await newPayment();
    await reconcile();
    await inTransaction((tx) => store.requestCancel(tx, id));
    await checkAndDie(id, 'end', heard);
    await reconcile();
    expect(await store.findAnywhere(id)).toMatchObject({ state: 'cancelled' });
  });

  it('while money is refunded leads to one refund', async () => {
    const { id, organizationId } = await newPayment();
    await reconcile();
    provider.set(`cs_${id}`, { standing: 'paid' });
    await reconcile();
    const refund = { id: `refund-${id}`, amount: nanos(AMOUNT / 5n), reason: 'Too much' };
    await inTransaction(async (tx) => {
      const payment = await store.lockPayment(tx, id);
      return new PaymentRefunds(test.database).takeRefund(tx, payment!, refund);
    });
    await checkAndDie(id, 'refund', heard);
    await reconcile();
    expect(await store.findAnywhere(id)).toMatchObject({
      state: 'partially_refunded',
      refunded: AMOUNT / 5n,
    });
    expect(await balanceOf(organizationId)).toBe(AMOUNT - AMOUNT / 5n);
  });
});

/** An answer of the provider, and the fate of the event that tells of it. */
const step = fc.record({
  told: fc.record({
    standing: fc.constantFrom('open' as const, 'paid' as const),
    refundedCents: fc.bigInt({ min: 0n, max: 6_000n }),
    withdrawnCents: fc.bigInt({ min: 0n, max: 6_000n }),
    reinstatedCents: fc.bigInt({ min: 0n, max: 3_000n }),
  }),
  event: fc.constantFrom('comes', 'comes twice', 'is late', 'is lost'),
  spends: fc.integer({ min: 0, max: 30_000_000_000 }),
});

it('the books end as the last totals say, whatever became of the events, and each step is in the ledger', async () => {
  const { database } = test;
  const [events, ledger, owed] = [
    new ProviderEventStore(database),
    new LedgerStore(database),
    new OwedCollection(database),
  ];
  const workOff = async () => {
    while ((await events.nudge(100)) > 0);
    while ((await settlementBy(provider).checkDue(100)).checked > 0);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const { id, organizationId } = await newPayment();
      await settlementBy(provider).check(id);
      const tell = (evt: string) =>
        events.storeProviderEvent({
          id: evt,
          type: 'x',
          paymentId: null,
          reference: null,
          intentReference: `pi_${id}`,
        });
      const expectExplained = async () => {
        const wallet = await database.prisma.wallet.findUnique({ where: { organizationId } });
        const { balanceNanos = 0n, heldNanos = 0n, owedNanos = 0n } = wallet ?? {};
        const transfers = await database.prisma.ledgerTransfer.findMany({ where: { organizationId } });
        const moved = transfers.map(({ creditAccount, amountNanos }) =>
          creditAccount === `wallet:${organizationId}` ? amountNanos : -amountNanos,
        );
        expect(balanceNanos).toBe(moved.reduce((sum, one) => sum + one, 0n));
        expect(balanceNanos >= heldNanos && owedNanos >= 0n).toBe(true);
        expect(owedNanos).toBe((await store.findAnywhere(id))?.owed);
      };
      const late: string[] = [];
      let isPaid = false;
      for (const { told, event, spends } of steps) {
        // A paid payment stays paid.
        isPaid ||= told.standing === 'paid';
        provider.set(`cs_${id}`, isPaid ? { ...told, standing: 'paid' } : { standing: 'open' });
        const evt = systemIds('event');
        if (event === 'is late') late.push(evt);
        if (event === 'comes' || event === 'comes twice') await tell(evt);
        if (event === 'comes twice') await tell(evt);
        await workOff();
        await expectExplained();
        await ledger.openHold(holdOf(organizationId, spends));
        await owed.collect(100);
      }
      for (const evt of late.reverse()) await tell(evt);
      await workOff();
      await reconcile();
      await expectExplained();

      const last = steps.at(-1)!.told;
      const net = (last.refundedCents + last.withdrawnCents - last.reinstatedCents) * 10_000_000n;
      const target = !isPaid || net < 0n ? 0n : net > AMOUNT ? AMOUNT : net;
      const payment = await store.findAnywhere(id);
      expect(payment!.taken + payment!.owed).toBe(target);
      expect(await balanceOf(organizationId)).toBe(isPaid ? AMOUNT - payment!.taken : 0n);
    }),
    { numRuns: 25 },
  );
});
