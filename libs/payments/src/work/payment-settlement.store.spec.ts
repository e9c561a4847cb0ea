import { UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { LedgerStore } from '@svc/ledger/store';
import { holdOf, LedgerWorld } from '@svc/ledger/testing';
import { systemIds } from '@svc/runtime';
import fc from 'fast-check';
import { type ProviderPayment, ProviderUnavailable } from '../rules/provider';
import { OwedCollection } from '../store/owed-collection';
import { PaymentStore } from '../store/payment-store';
import { ProviderEventStore } from '../store/provider-event-store';
import { ScriptedProvider } from '../testing/scripted-provider';
import { PaymentSettlement } from './payment-settlement';

const AMOUNT = 50_000_000_000n;
let test: TestDatabase;
let world: LedgerWorld;
let store: PaymentStore;
const provider = new ScriptedProvider();
let settlement: PaymentSettlement;
let events: ProviderEventStore;
let owed: OwedCollection;

beforeAll(async () => {
  test = await openTestDatabase();
  const { database } = test;
  world = new LedgerWorld(database);
  store = new PaymentStore(database);
  events = new ProviderEventStore(database);
  owed = new OwedCollection(database);
  settlement = new PaymentSettlement({
    database,
    provider,
    baseUrl: 'https://svc.example',
    reconcileSeconds: 600,
  });
});
afterAll(() => test.close());

async function newPayment(organizationId: string): Promise<string> {
  const id = systemIds('payment');
  await new UnitOfWork(test.database).transaction((tx) =>
    store.createPayment(tx, {
      id,
      organizationId,
      amount: nanos(AMOUNT),
      livemode: false,
      successUrl: null,
      cancelUrl: null,
      idempotencyKey: null,
      createdBy: { type: 'user', id: 'usr_1' },
      at: new Date(),
    }),
  );
  return id;
}

/** A payment whose checkout is open, of a new organization. */
async function openPayment(): Promise<{ id: string; organizationId: string }> {
  const organizationId = await world.newOrganization(0);
  const id = await newPayment(organizationId);
  await settlement.check(id);
  return { id, organizationId };
}

const says = (id: string, facts: Partial<ProviderPayment>) => {
  provider.set(`cs_${id}`, facts);
};

async function paid(): Promise<{ id: string; organizationId: string }> {
  const payment = await openPayment();
  says(payment.id, { standing: 'paid' });
  await settlement.check(payment.id);
  return payment;
}

const recordOf = (id: string) => store.findAnywhere(id);
const walletOf = (organizationId: string) =>
  test.database.prisma.wallet.findUnique({ where: { organizationId } });
const ledgerOf = (organizationId: string) =>
  test.database.prisma.ledgerTransfer.findMany({ where: { organizationId } });
const eventsOf = async (organizationId: string) =>
  (await test.database.prisma.outboxEvent.findMany({ where: { organizationId } }))
    .map(({ type }) => type)
    .sort();
const stateOf = async (id: string) => (await recordOf(id))?.state;

describe('a payment', () => {
  it('is opened once, whoever asks, and keeps where to pay', async () => {
    const organizationId = await world.newOrganization(0);
    const id = await newPayment(organizationId);
    const before = provider.opened;
    await Promise.all(Array.from({ length: 8 }, () => settlement.check(id).catch(() => undefined)));
    await settlement.check(id);
    expect(provider.opened - before).toBe(1);
    expect(await recordOf(id)).toMatchObject({
      state: 'pending',
      checkoutUrl: `https://pay.example/cs_${id}`,
    });
  });

  it('that the provider calls paid is credited with ledger, receipt, audit entry and events, at once', async () => {
    const { id, organizationId } = await paid();
    const payment = await recordOf(id);
    expect(payment).toMatchObject({ state: 'succeeded', checkoutUrl: null });
    expect(payment?.receiptNumber).toMatch(/^TEST-\d{6}$/);
    expect(await walletOf(organizationId)).toMatchObject({ balanceNanos: AMOUNT, owedNanos: 0n });
    expect(await ledgerOf(organizationId)).toMatchObject([
      {
        kind: 'top_up',
        debitAccount: 'platform:cash',
        creditAccount: `wallet:${organizationId}`,
        paymentId: id,
      },
    ]);
    expect(await eventsOf(organizationId)).toEqual(['payment.succeeded', 'wallet.credit_granted']);
    const audited = await test.database.prisma.auditEntry.findMany({ where: { targetId: id } });
    expect(audited.map(({ action, actorType }) => [action, actorType])).toEqual([
      ['payment.succeed', 'system'],
    ]);
  });

  it('is credited once by 50 copies of an event and as many workers', async () => {
    const { id, organizationId } = await openPayment();
    says(id, { standing: 'paid' });
    const facts = {
      type: 'checkout.session.completed',
      paymentId: id,
      reference: null,
      intentReference: null,
    };
    const evt = `evt_${id}`;
    const stored = await Promise.all(
      Array.from({ length: 50 }, () => events.storeProviderEvent({ ...facts, id: evt })),
    );
    expect(stored.filter(Boolean)).toHaveLength(1);
    await Promise.all(Array.from({ length: 10 }, () => events.nudge(100)));
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? settlement.check(id) : settlement.checkDue(5))),
    );
    await settlement.check(id);
    expect(await walletOf(organizationId)).toMatchObject({ balanceNanos: AMOUNT });
    expect(await eventsOf(organizationId)).toEqual(['payment.succeeded', 'wallet.credit_granted']);
  });

  it('is not credited by an event about an object of another account', async () => {
    const { id, organizationId } = await openPayment();
    const others = { reference: 'cs_of_another_account', intentReference: 'pi_of_another_account' };
    await events.storeProviderEvent({
      type: 'checkout.session.completed',
      paymentId: id,
      ...others,
      id: `evt_${id}`,
    });
    await events.nudge(100);
    await settlement.checkDue(5);
    expect(await recordOf(id)).toMatchObject({ state: 'pending', creditGrantId: null });
    expect([await walletOf(organizationId), await eventsOf(organizationId)]).toEqual([null, []]);
  });

  it.each([
    ['amount', { amountCents: 4_999n }],
    ['currency', { currency: 'eur' }],
    ['livemode', { livemode: true }],
    ['metadata', { paymentId: 'pay_other' }],
  ] as const)('that was paid with another %s is not credited, and tells nobody', async (reason, facts) => {
    const { id, organizationId } = await openPayment();
    says(id, { standing: 'paid', ...facts });
    await settlement.check(id);
    expect(await recordOf(id)).toMatchObject({ state: 'review', reviewReason: reason, creditGrantId: null });
    expect([await walletOf(organizationId), await eventsOf(organizationId)]).toEqual([null, []]);
  });

  it('stays as it is while the provider is out of reach, and is due again', async () => {
    const organizationId = await world.newOrganization(0);
    const id = await newPayment(organizationId);
    provider.isDown = true;
    await expect(settlement.check(id)).rejects.toThrow(ProviderUnavailable);
    provider.isDown = false;
    const row = await test.database.prisma.payment.findUniqueOrThrow({ where: { id } });
    expect([row.state, row.dueAt === null]).toEqual(['created', false]);
    await settlement.check(id);
    expect(await stateOf(id)).toBe('pending');
  });

  it('whose checkout has had its day is expired, and credited all the same if it was paid', async () => {
    const { id } = await openPayment();
    await test.database.prisma.payment.update({
      where: { id },
      data: { createdAt: new Date(Date.now() - 25 * 3_600_000) },
    });
    await settlement.check(id);
    expect(await stateOf(id)).toBe('expired');
    says(id, { standing: 'paid' });
    await settlement.check(id);
    expect(await stateOf(id)).toBe('succeeded');
  });

  it('an event that came while an older answer was under way is not lost', async () => {
    const { id } = await openPayment();
    const late = Promise.withResolvers<undefined>();
    const find = provider.find.bind(provider);
    const slow = jest.spyOn(provider, 'find').mockImplementationOnce(async (reference) => {
      const answer = await find(reference);
      await late.promise;
      return answer;
    });
    const older = settlement.check(id);
    while (slow.mock.calls.length === 0) await new Promise(setImmediate);
    says(id, { standing: 'paid' });
    const facts = { type: 'x', paymentId: null, reference: `cs_${id}`, intentReference: null };
    await events.storeProviderEvent({ ...facts, id: `evt_late_${id}` });
    await events.nudge(100);
    late.resolve(undefined);
    await older;
    slow.mockRestore();
    while ((await settlement.checkDue(10)).checked > 0);
    expect(await stateOf(id)).toBe('succeeded');
  });
});

it('receipts have no gaps, whatever fails beside them', async () => {
  await Promise.all(Array.from({ length: 6 }, () => paid()));
  const rows = await test.database.prisma.payment.findMany({
    where: { receiptNumber: { not: null } },
    orderBy: { receiptNumber: 'asc' },
  });
  expect(rows.map(({ receiptNumber }) => Number(receiptNumber?.slice(5)))).toEqual(
    rows.map((_, at) => at + 1),
  );
});

describe('what is owed', () => {
  it('can be held by no call, is taken as money comes, and is given up after 90 days', async () => {
    const { id, organizationId } = await paid();
    const ledger = new LedgerStore(test.database);
    const hold = holdOf(organizationId, Number(AMOUNT));
    await ledger.openHold(hold);
    says(id, { withdrawnCents: 5_000n });
    await settlement.check(id);
    expect(await stateOf(id)).toBe('disputed');
    expect(await walletOf(organizationId)).toMatchObject({ balanceNanos: AMOUNT, owedNanos: AMOUNT });
    const second = await newPayment(organizationId);
    await settlement.check(second);
    says(second, { standing: 'paid', amountCents: 5_000n });
    await settlement.check(second);
    expect(await walletOf(organizationId)).toMatchObject({ balanceNanos: AMOUNT, owedNanos: 0n });
    expect((await ledger.openHold(holdOf(organizationId, 1))).held).toBeNull();
    expect(await recordOf(id)).toMatchObject({ taken: AMOUNT, owed: 0n });
    says(second, { refundedCents: 5_000n });
    await settlement.check(second);
    await test.database.prisma.payment.update({
      where: { id: second },
      data: { owedSince: new Date(Date.now() - 91 * 86_400_000) },
    });
    await owed.writeOffOlderThan(90 * 86_400_000, 10);
    expect(await recordOf(second)).toMatchObject({ owed: 0n, writtenOff: AMOUNT });
    expect(await walletOf(organizationId)).toMatchObject({ owedNanos: 0n });
  });

  it('keeps wallet, ledger and payments in agreement, whatever the provider says and in whatever order', async () => {
    const fact = fc.record({
      standing: fc.constantFrom('open', 'paid', 'paid', 'paid'),
      refundedCents: fc.bigInt({ min: 0n, max: 6_000n }),
      withdrawnCents: fc.bigInt({ min: 0n, max: 6_000n }),
      reinstatedCents: fc.bigInt({ min: 0n, max: 3_000n }),
      spends: fc.integer({ min: 0, max: 30_000_000_000 }),
      collects: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fact, { minLength: 1, maxLength: 6 }), async (facts) => {
        const { id, organizationId } = await openPayment();
        const ledger = new LedgerStore(test.database);
        for (const { spends, collects, ...told } of facts) {
          says(id, told as Partial<ProviderPayment>);
          await settlement.check(id);
          await ledger.openHold(holdOf(organizationId, spends));
          if (collects) await owed.collect(1_000);
        }
        const [payment, wallet, transfers] = [
          await recordOf(id),
          await walletOf(organizationId),
          await ledgerOf(organizationId),
        ];
        const account = `wallet:${organizationId}`;
        const balance = transfers.reduce((sum, { creditAccount, debitAccount, amountNanos }) => {
          if (creditAccount === account) return sum + amountNanos;
          return debitAccount === account ? sum - amountNanos : sum;
        }, 0n);
        expect(wallet?.balanceNanos ?? 0n).toBe(balance);
        expect(wallet?.owedNanos ?? 0n).toBe(payment!.owed);
        if (payment!.creditGrantId === null) return;
        const net = payment!.refunded + payment!.withdrawn - payment!.reinstated;
        const target = net < 0n ? 0n : net > AMOUNT ? AMOUNT : net;
        expect(payment!.taken + payment!.owed + payment!.writtenOff).toBe(target);
        expect(transfers.filter(({ kind }) => kind === 'top_up')).toHaveLength(1);
      }),
      { numRuns: 25 },
    );
  });
});
