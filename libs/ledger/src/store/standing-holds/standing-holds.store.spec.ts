import { UnitOfWork } from '@svc/database';
import { heartbeatWas, openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos, type Nanos } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { BudgetedOrganization } from '../../testing/budgeted-organization';
import { BudgetSpendStore } from '../budgets/budget-spend-store';
import { RequestRecordStore } from '../recovery/request-record-store';
import { StandingHolds } from './standing-holds';

const today = new Date().toISOString().slice(0, 10);
const thisMonth = today.slice(0, 7);

let test: TestDatabase;
let organization: BudgetedOrganization;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  organization = await BudgetedOrganization.create(test.database);
});

const holds = new StandingHolds();
const open = (
  amount: number,
  options: {
    readonly id?: string;
    readonly projectId?: string;
    readonly apiKeyId?: string;
    readonly budgetAmount?: Nanos;
  } = {},
) =>
  new UnitOfWork(test.database).transaction((tx) =>
    holds.open(tx, {
      id: systemIds('fineTuningJob'),
      organizationId: organization.id,
      projectId: null,
      apiKeyId: null,
      kind: 'fine_tuning',
      model: 'acme/small',
      provider: 'acme',
      amount: nanos(amount),
      ...options,
    }),
  );
const settle = (id: string, cost: number) =>
  new UnitOfWork(test.database).transaction((tx) => holds.settle(tx, id, nanos(cost)));
const transfers = async (id: string) => {
  const rows = await test.database.prisma.ledgerTransfer.findMany({ where: { holdId: id } });
  return Object.fromEntries(rows.map(({ kind, amountNanos }) => [kind, amountNanos]));
};

it('is charged once, at most what was held, and frees the rest', async () => {
  const id = systemIds('fineTuningJob');
  expect(await open(1_000, { id })).toMatchObject({ held: 1_000n, refusedBy: null });
  expect(await organization.wallet()).toEqual({ balance: 1_000_000n, held: 1_000n });
  const settled = await Promise.all([settle(id, 400), settle(id, 400), settle(id, 400)]);
  expect(settled.filter((charged) => charged !== null)).toEqual([400n]);
  expect(await organization.wallet()).toEqual({ balance: 999_600n, held: 0n });
  expect(await transfers(id)).toEqual({ fine_tuning: 400n });
});

it('holds more of budgets than of the wallet where an own account is paid too, and budgets spend both', async () => {
  const budget = await organization.addBudget(1_000);
  const id = systemIds('fineTuningJob');
  const both = { budgetAmount: nanos(1_000) };
  expect(await open(0, { ...both, budgetAmount: nanos(1_001) })).toMatchObject({
    refusedBy: { budgetId: budget.id },
  });
  expect(await open(100, { id, ...both })).toMatchObject({ held: 100n });
  expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 0n, reserved: 1_000n } });
  await new UnitOfWork(test.database).transaction((tx) => holds.settle(tx, id, nanos(40), nanos(400)));
  expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 440n, reserved: 0n } });
  expect(await organization.wallet()).toEqual({ balance: 999_960n, held: 0n });

  // Beyond what was held budgets count nothing, and usage says all of it.
  const more = systemIds('fineTuningJob');
  await open(0, { id: more, budgetAmount: nanos(100) });
  await new UnitOfWork(test.database).transaction((tx) => holds.settle(tx, more, nanos(0), nanos(250)));
  expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 540n, reserved: 0n } });
  expect(await new BudgetSpendStore(test.database).reconcile()).toBe(0);
  const [used] = await test.database.prisma.usageDay.findMany({ where: { organizationId: organization.id } });
  expect(used).toMatchObject({ customerNanos: 40n, providerNanos: 650n, uncountedNanos: 150n });
});

it('books what it cost beyond its amount as the loss of the platform', async () => {
  const id = systemIds('fineTuningJob');
  await open(1_000, { id });
  expect(await settle(id, 1_300)).toBe(1_000n);
  expect(await organization.wallet()).toEqual({ balance: 999_000n, held: 0n });
  expect(await transfers(id)).toEqual({ fine_tuning: 1_000n, overrun: 300n });
});

it('that cost nothing leaves nothing in the ledger, nor in usage', async () => {
  const id = systemIds('fineTuningJob');
  await open(1_000, { id });
  expect(await settle(id, 0)).toBe(0n);
  expect(await organization.wallet()).toEqual({ balance: 1_000_000n, held: 0n });
  expect(await transfers(id)).toEqual({});
  expect(await test.database.prisma.usageDay.count({ where: { organizationId: organization.id } })).toBe(0);
});

it('is refused as a whole by a wallet that has less, and holds nothing', async () => {
  expect(await open(1_000_001)).toMatchObject({ held: null, refusedBy: 'wallet' });
  expect(await organization.wallet()).toEqual({ balance: 1_000_000n, held: 0n });
  expect(await open(1_000_000)).toMatchObject({ held: 1_000_000n });
});

it('of one amount beside others never holds more than the wallet has', async () => {
  const decisions = await Promise.all([
    open(600_000),
    open(600_000),
    organization.hold({ holdMin: 500_000 }),
  ]);
  expect(decisions.filter(({ held }) => held !== null).length).toBeGreaterThan(0);
  const { held } = await organization.wallet();
  expect(held).toBeLessThanOrEqual(1_000_000n);
});

it('cannot be opened twice under one id, settled or not', async () => {
  const id = systemIds('fineTuningJob');
  await open(10, { id });
  await expect(open(10, { id })).rejects.toThrow();
  await settle(id, 0);
  await expect(open(10, { id })).rejects.toThrow();
  expect(await organization.wallet()).toEqual({ balance: 1_000_000n, held: 0n });
});

describe('budgets', () => {
  it('of the organization, the project and the key reserve what is held, and spend what is charged', async () => {
    const budgets = [
      await organization.addBudget(5_000),
      await organization.addBudget(5_000, { scope: 'project', scopeId: 'proj_1' }),
      await organization.addBudget(5_000, { scope: 'api_key', scopeId: 'key_1', period: 'day' }),
    ];
    const other = await organization.addBudget(5_000, { scope: 'api_key', scopeId: 'key_2' });
    const id = systemIds('fineTuningJob');
    await open(1_000, { id, projectId: 'proj_1', apiKeyId: 'key_1' });
    const periods = [thisMonth, thisMonth, today];
    for (const [at, budget] of budgets.entries()) {
      expect(await organization.standing(budget)).toEqual({
        [periods[at]!]: { spent: 0n, reserved: 1_000n },
      });
    }
    expect(await organization.standing(other)).toEqual({});
    await settle(id, 700);
    for (const [at, budget] of budgets.entries()) {
      expect(await organization.standing(budget)).toEqual({ [periods[at]!]: { spent: 700n, reserved: 0n } });
    }
  });

  it('that have less refuse it, and are named', async () => {
    const { id, name } = await organization.addBudget(999);
    expect(await open(1_000)).toMatchObject({ held: null, refusedBy: { budgetId: id, budgetName: name } });
    expect(await open(999)).toMatchObject({ held: 999n });
    expect(await organization.hold({ holdMin: 1 })).toMatchObject({ held: null });
  });

  it('of a key count nothing that a user asked for without one', async () => {
    const budget = await organization.addBudget(1, { scope: 'api_key', scopeId: 'key_1' });
    expect(await open(1_000)).toMatchObject({ held: 1_000n });
    expect(await organization.standing(budget)).toEqual({});
  });

  it('keep what it reserves when drift is corrected, before and after its end', async () => {
    const budget = await organization.addBudget(5_000);
    const id = systemIds('fineTuningJob');
    await open(1_000, { id });
    const spends = new BudgetSpendStore(test.database);
    expect(await spends.reconcile()).toBe(0);
    await test.database.prisma.budgetSpend.updateMany({
      where: { budgetId: budget.id },
      data: { reservedNanos: 1n },
    });
    expect(await spends.reconcile()).toBe(1);
    expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 0n, reserved: 1_000n } });
    await settle(id, 250);
    expect(await spends.reconcile()).toBe(0);
    expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 250n, reserved: 0n } });
  });
});

it('is usage of its model without a request, on the day on which it was held', async () => {
  const id = systemIds('fineTuningJob');
  await open(1_000, { id, projectId: 'proj_1', apiKeyId: 'key_1' });
  await settle(id, 400);
  const rows = await test.database.prisma.usageDay.findMany({ where: { organizationId: organization.id } });
  expect(rows).toEqual([
    expect.objectContaining({
      day: new Date(`${today}T00:00:00Z`),
      projectId: 'proj_1',
      apiKeyId: 'key_1',
      model: 'acme/small',
      provider: 'acme',
      requestCount: 0n,
      customerNanos: 400n,
    }),
  ]);
});

it('is no leftover of a crash', async () => {
  await heartbeatWas(test.database);
  await open(1_000);
  expect(await new RequestRecordStore(test.database).findAbandoned(10)).toEqual([]);
});
