import { setTimeout as pause } from 'node:timers/promises';
import { type Transaction, UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { LedgerStore } from '@svc/ledger/store';
import { holdOf, LedgerWorld } from '@svc/ledger/testing';
import { systemIds } from '@svc/runtime';
import { type PaymentProvider, type ProviderPayment } from '../rules/provider';
import { AutoTopUpCharges } from '../store/auto-top-up-charges';
import { AutoTopUpStore } from '../store/auto-top-up-store';
import { ScriptedProvider } from '../testing/scripted-provider';
import { PaymentSettlement } from './payment-settlement';

const DOLLAR = 1_000_000_000n;
const HOUR_MS = 3_600_000;
let test: TestDatabase;
let world: LedgerWorld;
let store: AutoTopUpStore;
let provider: ScriptedProvider;
let charges: AutoTopUpCharges;
let organizationId: string;

beforeAll(async () => {
  test = await openTestDatabase();
  world = new LedgerWorld(test.database);
  store = new AutoTopUpStore(test.database);
  charges = new AutoTopUpCharges(test.database, false);
});
afterAll(() => test.close());

const transaction = (work: (tx: Transaction) => Promise<unknown>) =>
  new UnitOfWork(test.database).transaction(work);
const settlementBy = (asked: PaymentProvider) =>
  new PaymentSettlement({
    database: test.database,
    provider: asked,
    baseUrl: 'https://svc.example',
    reconcileSeconds: 600,
  });

/** Below 20 dollars, a multiple of 10 dollars is charged, and 100 dollars a month at most. */
const put = (paymentMethodId: string | null, enabled = true) =>
  transaction((tx) =>
    store.putAutoTopUp(
      tx,
      organizationId,
      {
        enabled,
        threshold: nanos(20n * DOLLAR),
        amount: nanos(10n * DOLLAR),
        monthlyCap: nanos(100n * DOLLAR),
        paymentMethodId,
      },
      true,
    ),
  );

let methodId: string;
beforeEach(async () => {
  provider = new ScriptedProvider();
  const { prisma } = test.database;
  // Those of earlier tests.
  await prisma.autoTopUp.deleteMany();
  organizationId = await world.newOrganization(0);
  methodId = systemIds('paymentMethod');
  const card = {
    providerReference: `card_${methodId}`,
    brand: 'visa',
    last4: '4242',
    expMonth: 12,
    expYear: 2031,
  };
  await prisma.paymentMethod.create({
    data: {
      id: methodId,
      organizationId,
      livemode: false,
      state: 'active',
      ...card,
      createdByType: 'system',
    },
  });
  for (const role of ['owner', 'finance', 'developer']) {
    const userId = systemIds('user');
    await prisma.user.create({ data: { id: userId, email: `${userId}@example.com`, passwordHash: 'x' } });
    await prisma.member.create({ data: { id: systemIds('member'), organizationId, userId, role } });
  }
  await put(methodId);
});

const payments = () =>
  test.database.prisma.payment.findMany({ where: { organizationId }, orderBy: { createdAt: 'asc' } });
const found = () => store.findAutoTopUp(organizationId);
const balance = async () => (await world.walletOf(organizationId))?.balanceNanos ?? 0n;
const failures = async () =>
  (
    await test.database.prisma.outboxEvent.findMany({ where: { organizationId, type: 'payment.failed' } })
  ).map(({ payload }) => (JSON.parse(payload) as { data: Record<string, unknown> }).data);
const mailedRoles = async () => {
  const mails = await test.database.prisma.mail.findMany({ where: { organizationId } });
  const members = await test.database.prisma.member.findMany({
    where: { id: { in: mails.map(({ memberId }) => memberId) } },
  });
  return members.map(({ role }) => role).sort();
};

/** As a worker does once leases and pauses are over. */
async function settle(by = settlementBy(provider)): Promise<void> {
  await test.database.prisma.payment.updateMany({ where: { organizationId }, data: { dueAt: new Date(0) } });
  await by.checkDue(100);
}
const laterBy = async (ms: number) => {
  for (const payment of await payments())
    await test.database.prisma.payment.update({
      where: { id: payment.id },
      data: { createdAt: new Date(payment.createdAt.getTime() - ms) },
    });
  const retryAt = (await found())?.retryAt;
  if (retryAt != null) {
    await test.database.prisma.autoTopUp.update({
      where: { organizationId },
      data: { retryAt: new Date(retryAt.getTime() - ms) },
    });
  }
};
const spend = (amount: bigint) =>
  test.database.prisma.wallet.update({
    where: { organizationId },
    data: { heldNanos: { increment: amount } },
  });

it('charges no organization that is suspended', async () => {
  const state = (to: string) =>
    test.database.prisma.organization.update({ where: { id: organizationId }, data: { state: to } });
  await state('suspended');
  await charges.makeDueCharges();
  expect(await payments()).toEqual([]);
  await state('active');
  await charges.makeDueCharges();
  await settle();
  expect(await payments()).toMatchObject([{ kind: 'auto', state: 'succeeded' }]);
});

it('one charge lifts the wallet to the threshold, however many workers look at it', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => charges.makeDueCharges()));
  expect(answers.flat()).toEqual([]);
  expect(await payments()).toMatchObject([{ kind: 'auto', state: 'created', amountNanos: 20n * DOLLAR }]);
  await Promise.all(Array.from({ length: 4 }, () => settle()));
  await settle();
  expect(provider.charged).toBe(1);
  expect(await balance()).toBe(20n * DOLLAR);
  expect((await payments())[0]).toMatchObject({ state: 'succeeded', createdByType: 'system' });
});

it('the database refuses a second open charge', async () => {
  await charges.makeDueCharges();
  const [{ id: _id, ...open }] = (await payments()) as [Awaited<ReturnType<typeof payments>>[number]];
  const second = test.database.prisma.payment.create({ data: { ...open, id: systemIds('payment') } });
  await expect(second).rejects.toMatchObject({ code: 'P2002' });
});

it('none is made within 60 seconds of the last', async () => {
  await charges.makeDueCharges();
  await settle();
  await spend(15n * DOLLAR);
  await charges.makeDueCharges();
  expect(await payments()).toHaveLength(1);
  await laterBy(61_000);
  await charges.makeDueCharges();
  expect(await payments()).toHaveLength(2);
});

it('nothing is charged above the cap of the month, and that is told once', async () => {
  // Charges are a minute apart, so a month of seconds cannot have two.
  const now = new Date();
  const monthMs = now.getTime() - Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  if (monthMs < 61_000) await pause(61_000 - monthMs);
  for (const expected of [20n, 20n, 20n, 20n, 20n]) {
    await charges.makeDueCharges();
    expect((await payments()).at(-1)).toMatchObject({ state: 'created', amountNanos: expected * DOLLAR });
    await settle();
    await spend(20n * DOLLAR);
    // A test on the first of a month must not move them to the month before.
    await test.database.prisma.$executeRaw`
      UPDATE payments SET created_at = greatest(date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC',
        created_at - interval '61 s') WHERE organization_id = ${organizationId}`;
  }
  for (let tick = 0; tick < 3; tick++) await charges.makeDueCharges();
  expect(await payments()).toHaveLength(5);
  expect(await store.chargedThisMonth(organizationId)).toBe(100n * DOLLAR);
  expect(await failures()).toEqual([
    { payment_id: null, amount_nanos: Number(20n * DOLLAR), failure_code: 'monthly_cap_reached' },
  ]);
}, 90_000);

it('failures pause for 1 h and 6 h, and the third in a row switches off, with a mail to owner and finance', async () => {
  provider.offSession = { standing: 'ended', failureCode: 'generic_decline' };
  for (const [at, pauseMs] of [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS].entries()) {
    await charges.makeDueCharges();
    await settle();
    expect((await payments()).map(({ state }) => state)).toEqual(Array(at + 1).fill('failed'));
    const settings = await found();
    expect(Math.abs((settings?.retryAt?.getTime() ?? 0) - Date.now() - pauseMs)).toBeLessThan(120_000);
    await laterBy(61_000);
    await charges.makeDueCharges();
    expect(await payments()).toHaveLength(at + 1);
    expect(await found()).toMatchObject({ enabled: at < 2, failures: at + 1 });
    await laterBy(pauseMs);
  }
  expect(await found()).toMatchObject({ disabledReason: 'payment_failed' });
  expect(await failures()).toMatchObject(Array(3).fill({ failure_code: 'generic_decline' }));
  expect(await mailedRoles()).toEqual(['finance', 'owner']);
});

it('a charge that its payer has to confirm switches off at once', async () => {
  provider.offSession = { standing: 'ended', failureCode: 'authentication_required' };
  await charges.makeDueCharges();
  await settle();
  expect(await found()).toMatchObject({ enabled: false, disabledReason: 'authentication_required' });
  expect(await mailedRoles()).toEqual(['finance', 'owner']);
  const audited = await test.database.prisma.auditEntry.findMany({
    where: { organizationId, action: 'auto_top_up.disable' },
  });
  expect(audited).toHaveLength(1);
});

it('a success ends a row of failures', async () => {
  provider.offSession = { standing: 'ended', failureCode: 'generic_decline' };
  await charges.makeDueCharges();
  await settle();
  await laterBy(2 * HOUR_MS);
  provider.offSession = { standing: 'paid' };
  await charges.makeDueCharges();
  await settle();
  expect(await found()).toMatchObject({ enabled: true, failures: 0, retryAt: null });
});

it('a dispute switches it off', async () => {
  await charges.makeDueCharges();
  await settle();
  const [payment] = await payments();
  provider.set(`pi_${payment?.id ?? ''}`, { withdrawnCents: 500n });
  await settle();
  expect(await found()).toMatchObject({ enabled: false, disabledReason: 'dispute' });
});

it.each([
  ['amount', { amountCents: 1_999n }],
  ['currency', { currency: 'eur' }],
  ['livemode', { livemode: true }],
  ['metadata', { paymentId: 'pay_another' }],
] as const)('a charge with another %s is not credited, and no other is made', async (reason, facts) => {
  provider.offSession = { standing: 'paid', ...(facts as Partial<ProviderPayment>) };
  await charges.makeDueCharges();
  await settle();
  await laterBy(61_000);
  await charges.makeDueCharges();
  expect(await payments()).toMatchObject([{ state: 'review', reviewReason: reason }]);
  expect(await balance()).toBe(0n);
});

it.each([false, true])(
  'a kill while it is charged leads to one charge; the provider has heard: %s',
  async (heard) => {
    await charges.makeDueCharges();
    const dead = Promise.withResolvers<undefined>();
    const dying = Object.create(provider) as PaymentProvider;
    dying.charge = async (charge) => {
      if (heard) await provider.charge(charge);
      dead.resolve(undefined);
      return new Promise<never>(() => undefined);
    };
    void settle(settlementBy(dying));
    await dead.promise;
    await settle();
    expect(provider.charged).toBe(1);
    expect(await balance()).toBe(20n * DOLLAR);
  },
);

it('a card that the provider has forgotten fails the charge', async () => {
  provider.detached.add(`card_${methodId}`);
  await charges.makeDueCharges();
  await settle();
  expect(await payments()).toMatchObject([{ state: 'failed', failureCode: 'payment_method_detached' }]);
});

it('calls hold money while a charge is under way, and wait for nothing', async () => {
  await charges.makeDueCharges();
  const stuck = Object.create(provider) as PaymentProvider;
  const asked = Promise.withResolvers<undefined>();
  stuck.charge = () => {
    asked.resolve(undefined);
    return new Promise<never>(() => undefined);
  };
  void settle(settlementBy(stuck));
  await asked.promise;
  const ledger = new LedgerStore(test.database);
  const holds = await Promise.all(
    Array.from({ length: 20 }, () => ledger.openHold(holdOf(organizationId, 1_000))),
  );
  expect(holds).toHaveLength(20);
  await charges.makeDueCharges();
  expect(await payments()).toHaveLength(1);
});
