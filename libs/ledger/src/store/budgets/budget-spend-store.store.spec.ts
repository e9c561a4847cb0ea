import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { BudgetedOrganization } from '../../testing/budgeted-organization';
import { BudgetSpendStore } from './budget-spend-store';

const BATCH = 1_000;
const thisMonth = new Date().toISOString().slice(0, 7);

let test: TestDatabase;
let organization: BudgetedOrganization;
let spends: BudgetSpendStore;
beforeAll(async () => {
  test = await openTestDatabase();
  spends = new BudgetSpendStore(test.database);
});
afterAll(() => test.close());
beforeEach(async () => {
  organization = await BudgetedOrganization.create(test.database);
});

interface BudgetEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** Budget events of the organization. */
const events = async (): Promise<BudgetEvent[]> => {
  const rows = await test.database.prisma.outboxEvent.findMany({
    where: { organizationId: organization.id, type: { startsWith: 'budget.' } },
  });
  return rows.map(({ payload }) => JSON.parse(payload) as BudgetEvent);
};
const announced = async (): Promise<string[]> => {
  await spends.announceCrossings(BATCH);
  return (await events()).map(({ type }) => type).sort();
};

describe('budget.threshold_crossed', () => {
  it('is recorded once when spend reaches the threshold, and says which budget and period', async () => {
    const budget = await organization.addBudget(1_000, { name: 'Night', action: 'warn', warnAtBps: 5_000 });
    await organization.spend(499);
    expect(await announced()).toEqual([]);
    await organization.spend(1);
    expect(await announced()).toEqual(['budget.threshold_crossed']);
    await organization.spend(100);
    expect(await announced()).toEqual(['budget.threshold_crossed']);
    const [event] = await events();
    expect(event?.data).toEqual({
      budget_id: budget.id,
      name: 'Night',
      scope: 'organization',
      scope_id: organization.id,
      project_id: null,
      subject: null,
      period: 'month',
      period_key: thisMonth,
      amount_nanos: 1_000,
      spent_nanos: 500,
      warn_at_bps: 5_000,
      action: 'warn',
    });
  });

  it('counts what is spent, not what is only held', async () => {
    await organization.addBudget(1_000);
    await organization.hold({ holdMin: 900 });
    expect(await announced()).toEqual([]);
  });

  it('comes anew in each period', async () => {
    await organization.addBudget(100, { period: 'session', action: 'warn' });
    for (const sessionId of ['a', 'b', 'a']) await organization.spend(80, { sessionId });
    await announced();
    const crossed = (await events()).filter(({ type }) => type === 'budget.threshold_crossed');
    expect(crossed.map(({ data }) => data['period_key']).sort()).toEqual(['a', 'b']);
  });
});

describe('budget.exceeded', () => {
  it('is recorded once when the amount is spent, beside the threshold', async () => {
    await organization.addBudget(100, { action: 'warn' });
    await organization.spend(100);
    await organization.spend(100);
    expect(await announced()).toEqual(['budget.exceeded', 'budget.threshold_crossed']);
    await organization.spend(100);
    expect(await announced()).toHaveLength(2);
  });

  it('is recorded once when the budget refuses, however often it does', async () => {
    await organization.addBudget(100);
    for (let call = 0; call < 3; call++) await organization.hold({ holdMin: 101 });
    expect(await announced()).toEqual(['budget.exceeded']);
    await organization.hold({ holdMin: 101 });
    expect(await announced()).toEqual(['budget.exceeded']);
  });

  it('of a budget of nothing is recorded at its first call', async () => {
    await organization.addBudget(0);
    await organization.hold({ holdMin: 1 });
    expect(await announced()).toEqual(['budget.exceeded', 'budget.threshold_crossed']);
  });

  it('is not recorded of a disabled budget', async () => {
    const { id } = await organization.addBudget(100);
    await organization.spend(100);
    await test.database.prisma.budget.update({ where: { id }, data: { enabled: false } });
    expect(await announced()).toEqual([]);
  });
});

it('two workers at once record each event exactly once, while calls go on', async () => {
  const others = new BudgetSpendStore(test.database);
  for (let made = 0; made < 20; made++) await organization.addBudget(1_000 + made, { action: 'warn' });
  const calls = Array.from({ length: 40 }, () => organization.spend(50));
  const looks = Array.from({ length: 20 }, (_, at) =>
    (at % 2 === 0 ? spends : others).announceCrossings(BATCH),
  );
  await Promise.all([...calls, ...looks]);
  await Promise.all([spends.announceCrossings(BATCH), others.announceCrossings(BATCH)]);
  await spends.announceCrossings(BATCH);
  const told = (await events()).map(({ type, data }) => `${type} ${String(data['budget_id'])}`);
  expect(told).toHaveLength(40);
  expect(new Set(told).size).toBe(40);
});

it('looks at as many periods as it is asked to, and at none twice', async () => {
  await spends.announceCrossings(BATCH);
  for (let made = 0; made < 3; made++) await organization.addBudget(1_000);
  await organization.spend(10);
  const reviewed = async () => (await spends.announceCrossings(2)).reviewed;
  expect([await reviewed(), await reviewed()]).toEqual([2, 1]);
  expect(await reviewed()).toBe(0);
});

describe('reconciliation', () => {
  it('counts usage that passed a budget by while it was disabled, and calls in flight', async () => {
    const budget = await organization.addBudget(1_000);
    await organization.spend(100);
    await test.database.prisma.budget.update({ where: { id: budget.id }, data: { enabled: false } });
    await organization.spend(700);
    await test.database.prisma.budget.update({ where: { id: budget.id }, data: { enabled: true } });
    await organization.hold({ holdMin: 50 });
    await test.database.prisma.budgetSpend.updateMany({
      where: { budgetId: budget.id },
      data: { reservedNanos: 7n },
    });
    await spends.announceCrossings(BATCH);
    expect(await spends.reconcile()).toBe(1);
    expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 800n, reserved: 50n } });
    expect(await announced()).toEqual(['budget.threshold_crossed']);
    expect(await spends.reconcile()).toBe(0);
  });

  it('takes back what a budget counted without a charge behind it', async () => {
    const budget = await organization.addBudget(1_000, { period: 'day' });
    await organization.spend(100);
    await test.database.prisma.budgetSpend.updateMany({
      where: { budgetId: budget.id },
      data: { spentNanos: 900n },
    });
    expect(await spends.reconcile()).toBe(1);
    expect(Object.values(await organization.standing(budget))).toEqual([{ spent: 100n, reserved: 0n }]);
  });

  it('finds nothing to mend while calls come and go', async () => {
    for (const period of ['day', 'month', 'session'] as const)
      await organization.addBudget(100_000, { period });
    let running = true;
    const serving = Promise.all(
      Array.from({ length: 200 }, (_, at) => organization.spend(at, { sessionId: `s${String(at % 7)}` })),
    ).finally(() => (running = false));
    let mended = 0;
    while (running) mended += await spends.reconcile();
    await serving;
    expect(mended).toBe(0);
  });
});
