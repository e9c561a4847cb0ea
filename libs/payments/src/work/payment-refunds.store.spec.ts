import { refusalFor, UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos, type Nanos } from '@svc/kernel';
import { LedgerStore } from '@svc/ledger/store';
import { holdOf, LedgerWorld } from '@svc/ledger/testing';
import { systemIds } from '@svc/runtime';
import fc from 'fast-check';
import { PaymentRefunds } from '../store/payment-refunds';
import { PaymentStore } from '../store/payment-store';
import { ScriptedProvider } from '../testing/scripted-provider';
import { PaymentSettlement } from './payment-settlement';

const DOLLAR = 1_000_000_000n;
let test: TestDatabase;
let world: LedgerWorld;
let store: PaymentStore;
let refunds: PaymentRefunds;
let provider: ScriptedProvider;
let settlement: PaymentSettlement;

beforeAll(async () => {
  test = await openTestDatabase();
  world = new LedgerWorld(test.database);
  store = new PaymentStore(test.database);
  refunds = new PaymentRefunds(test.database);
});
beforeEach(() => {
  provider = new ScriptedProvider();
  settlement = new PaymentSettlement({
    database: test.database,
    provider,
    baseUrl: 'https://svc.example',
    reconcileSeconds: 600,
  });
});
afterAll(() => test.close());

async function paid(organizationId: string, dollars: bigint): Promise<string> {
  const id = systemIds('payment');
  await new UnitOfWork(test.database).transaction((tx) =>
    store.createPayment(tx, {
      id,
      organizationId,
      amount: nanos(dollars * DOLLAR),
      livemode: false,
      successUrl: null,
      cancelUrl: null,
      idempotencyKey: null,
      createdBy: { type: 'user', id: 'usr_1' },
      at: new Date(),
    }),
  );
  await settlement.check(id);
  provider.set(`cs_${id}`, { standing: 'paid' });
  await settlement.check(id);
  return id;
}

/** A hundred at once wait for connections until some are told to come again. */
async function admitted<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (refusalFor(error) === error) throw error;
    }
  }
}

/** @param dollars null: all that is left. */
const take = (id: string, dollars: bigint | null): Promise<Nanos | null> =>
  admitted(() => takeOnce(id, dollars));

const takeOnce = (id: string, dollars: bigint | null): Promise<Nanos | null> =>
  new UnitOfWork(test.database).transaction(async (tx) => {
    const payment = await store.lockPayment(tx, id);
    const amount = dollars === null ? null : nanos(dollars * DOLLAR);
    return refunds.takeRefund(tx, payment!, {
      id: `refund-${crypto.randomUUID()}`,
      amount,
      reason: 'Too much',
    });
  });

const spend = (organizationId: string, dollars: bigint) =>
  new LedgerStore(test.database).openHold(holdOf(organizationId, Number(dollars * DOLLAR)));

async function dollarsOf(organizationId: string) {
  const { prisma } = test.database;
  const wallet = await prisma.wallet.findUniqueOrThrow({ where: { organizationId } });
  return { balance: wallet.balanceNanos / DOLLAR, owed: wallet.owedNanos / DOLLAR };
}

const refundedOf = async (id: string) => ((await store.findAnywhere(id))?.refunded ?? 0n) / DOLLAR;

describe('a refund', () => {
  it('takes its money from the wallet at once, so that no call can hold it', async () => {
    const organizationId = await world.newOrganization(0);
    const id = await paid(organizationId, 50n);
    provider.isDown = true;

    expect(await take(id, 50n)).toBe(50n * DOLLAR);

    expect(await dollarsOf(organizationId)).toEqual({ balance: 0n, owed: 0n });
    expect((await spend(organizationId, 1n)).held).toBeNull();
  });

  it('is booked once, however often the provider is asked', async () => {
    const organizationId = await world.newOrganization(0);
    const id = await paid(organizationId, 50n);
    await take(id, 20n);
    await Promise.all(Array.from({ length: 8 }, () => settlement.check(id)));
    await settlement.check(id);

    expect(await refundedOf(id)).toBe(20n);
    expect(await dollarsOf(organizationId)).toEqual({ balance: 30n, owed: 0n });
    const { prisma } = test.database;
    expect(await prisma.ledgerTransfer.count({ where: { organizationId, kind: 'refund' } })).toBe(1);
  });

  it('that the provider refuses gives its money back', async () => {
    const organizationId = await world.newOrganization(0);
    const id = await paid(organizationId, 50n);
    provider.refusesRefunds = true;
    await take(id, 20n);
    await settlement.check(id);

    expect(await dollarsOf(organizationId)).toEqual({ balance: 50n, owed: 0n });
    expect(await take(id, null)).toBe(50n * DOLLAR);
  });

  it('counts while the provider is out of reach, made there or not', async () => {
    const organizationId = await world.newOrganization(0);
    const id = await paid(organizationId, 50n);
    await take(id, 30n);
    const find = jest.spyOn(provider, 'find').mockRejectedValueOnce(new Error('out of reach'));
    await expect(settlement.check(id)).rejects.toThrow('out of reach');
    find.mockRestore();

    expect(await take(id, 21n)).toBeNull();
    expect(await take(id, null)).toBe(20n * DOLLAR);
    await settlement.check(id);
    expect(await store.findAnywhere(id)).toMatchObject({ state: 'refunded', refunded: 50n * DOLLAR });
    expect(await dollarsOf(organizationId)).toEqual({ balance: 0n, owed: 0n });
  });
});

describe('of refunds at once', () => {
  it('over two payments, only as many are taken as the wallet pays, and the provider makes those', async () => {
    const organizationId = await world.newOrganization(0);
    const ids = [await paid(organizationId, 20n), await paid(organizationId, 20n)];
    await spend(organizationId, 37n);

    const taken = await Promise.all(Array.from({ length: 100 }, (_, at) => take(ids[at % 2]!, 2n)));

    expect(taken.filter((amount) => amount !== null)).toEqual([2n * DOLLAR]);
    await Promise.all(ids.map((id) => settlement.check(id)));
    const [one, other] = await Promise.all(ids.map(refundedOf));
    expect(one! + other!).toBe(2n);
    expect(await dollarsOf(organizationId)).toEqual({ balance: 38n, owed: 0n });
  });

  it('of one payment, no more are taken than it has, while the provider is asked about it', async () => {
    const organizationId = await world.newOrganization(Number(1_000n * DOLLAR));
    const id = await paid(organizationId, 20n);

    const taken = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const amount = await take(id, 2n);
        if (at % 10 === 0) await admitted(() => settlement.check(id));
        return amount;
      }),
    );

    expect(taken.filter((amount) => amount !== null)).toHaveLength(10);
    await settlement.check(id);
    expect(await store.findAnywhere(id)).toMatchObject({ state: 'refunded', refunded: 20n * DOLLAR });
    expect(await dollarsOf(organizationId)).toEqual({ balance: 1_000n, owed: 0n });
  });

  it('whatever their amounts and their wallet, none leaves a debt', async () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 30n }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(amounts, fc.bigInt({ min: 0n, max: 50n }), async (asked, spent) => {
        const organizationId = await world.newOrganization(0);
        const id = await paid(organizationId, 50n);
        await spend(organizationId, spent);
        const taken = await Promise.all(asked.map((dollars) => take(id, dollars)));
        await settlement.check(id);

        const sum = taken.reduce<bigint>((total, amount) => total + (amount ?? 0n) / DOLLAR, 0n);
        expect(sum <= 50n - spent).toBe(true);
        expect(await refundedOf(id)).toBe(sum);
        expect(await dollarsOf(organizationId)).toEqual({ balance: 50n - sum, owed: 0n });
      }),
      { numRuns: 15 },
    );
  });
});
