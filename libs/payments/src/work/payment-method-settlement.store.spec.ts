import { type Transaction, UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { LedgerWorld } from '@svc/ledger/testing';
import { systemIds } from '@svc/runtime';
import { ProviderUnavailable } from '../rules/provider';
import { PaymentMethodStore } from '../store/payment-method-store';
import { ProviderEventStore } from '../store/provider-event-store';
import { ScriptedProvider } from '../testing/scripted-provider';
import { PaymentMethodSettlement } from './payment-method-settlement';

const RETURNS = { successUrl: null, cancelUrl: null };
const PAGE = { limit: 10, before: null };
let test: TestDatabase;
let organizationId: string;
let store: PaymentMethodStore;
let provider: ScriptedProvider;
let settlement: PaymentMethodSettlement;

beforeAll(async () => {
  test = await openTestDatabase();
  store = new PaymentMethodStore(test.database);
});
beforeEach(async () => {
  organizationId = await new LedgerWorld(test.database).newOrganization(0);
  provider = new ScriptedProvider();
  const parts = { baseUrl: 'https://svc.example', reconcileSeconds: 600 };
  settlement = new PaymentMethodSettlement({ database: test.database, provider, ...parts });
});
afterAll(() => test.close());

const transaction = (work: (tx: Transaction) => Promise<unknown>) =>
  new UnitOfWork(test.database).transaction(work);

async function newMethod(): Promise<string> {
  const id = systemIds('paymentMethod');
  const createdBy = { type: 'user', id: 'usr_1' } as const;
  await transaction((tx) =>
    store.createPaymentMethod(tx, { id, organizationId, livemode: false, createdBy, at: new Date() }),
  );
  return id;
}

const cardOf = (id: string) => ({
  reference: `pm_of_${id}`,
  brand: 'visa',
  last4: '4242',
  expMonth: 1,
  expYear: 2031,
});
const isEntered = (id: string) => {
  provider.setUp(`cs_${id}`, { standing: 'done', url: null, card: cardOf(id) });
};
const listed = async () => (await store.listPaymentMethods(organizationId, PAGE)).items.map(({ id }) => id);
const stateOf = async (id: string) =>
  (await test.database.prisma.paymentMethod.findUniqueOrThrow({ where: { id } })).state;

/** As a worker does once leases and pauses are over. */
async function reconcile(): Promise<void> {
  await test.database.prisma.paymentMethod.updateMany({
    where: { dueAt: { not: null } },
    data: { dueAt: new Date(0) },
  });
  while ((await settlement.checkDue(100)).checked > 0);
}

it('a card is listed once its provider confirms it, by any number of copies of the event', async () => {
  const id = await newMethod();
  expect(await settlement.open(id, organizationId, RETURNS)).toBe(`https://pay.example/cs_${id}`);
  expect(await listed()).toEqual([]);
  isEntered(id);
  const events = new ProviderEventStore(test.database);
  const about = { type: 'checkout.session.completed', paymentId: null, intentReference: null };
  for (const copy of ['one', 'two'])
    await events.storeProviderEvent({ id: `evt_${copy}_${id}`, reference: `cs_${id}`, ...about });
  await events.nudge(100);
  await Promise.all(Array.from({ length: 4 }, () => settlement.checkDue(100)));
  expect(await listed()).toEqual([id]);
});

it('a lost event delays a card and no more', async () => {
  const id = await newMethod();
  await settlement.open(id, organizationId, RETURNS);
  isEntered(id);
  await reconcile();
  expect(await listed()).toEqual([id]);
});

it('one whose setup was never opened, or belongs to another, is never listed', async () => {
  const [unopened, foreign] = [await newMethod(), await newMethod()];
  await settlement.open(foreign, organizationId, RETURNS);
  isEntered(foreign);
  provider.setUp(`cs_${foreign}`, { paymentMethodId: 'pm_of_another_account' });
  await reconcile();
  expect([await stateOf(unopened), await stateOf(foreign)]).toEqual(['expired', 'expired']);
  expect(await listed()).toEqual([]);
});

it('a deleted one is detached, also by a provider that is out of reach at first', async () => {
  const id = await newMethod();
  await settlement.open(id, organizationId, RETURNS);
  isEntered(id);
  await reconcile();
  await transaction((tx) => store.deletePaymentMethod(tx, id));
  expect(await listed()).toEqual([]);
  provider.isDown = true;
  await expect(settlement.check(id)).rejects.toThrow(ProviderUnavailable);
  provider.isDown = false;
  await reconcile();
  expect([...provider.detached]).toEqual([cardOf(id).reference]);
});
