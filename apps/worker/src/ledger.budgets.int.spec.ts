import { nanos } from '@svc/kernel';
import { BudgetSpendStore, LedgerStore, WalletStore } from '@svc/ledger/store';
import { holdOf } from '@svc/ledger/testing';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { createMetrics } from '@svc/runtime/observability';
import { announceBudgetCrossings, reconcileBudgets, suppressedBudgetEvents } from './ledger.tasks';

let test: TestDatabase;
const organizationId = systemIds('organization');
beforeEach(async () => {
  test = await emptyTestDatabase();
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await new WalletStore(test.database).credit(organizationId, nanos(1_000_000), 'test');
});
afterEach(() => test.close());

/** Creates budgets that are all used up at the first call. */
const addBudgets = (count: number) =>
  test.database.prisma.budget.createMany({
    data: Array.from({ length: count }, () => ({
      id: systemIds('budget'),
      organizationId,
      name: 'Team',
      scope: 'organization',
      scopeId: organizationId,
      period: 'day',
      amountNanos: 1_000n,
      action: 'warn',
      warnAtBps: 8_000,
    })),
  });
const openCall = () => new LedgerStore(test.database).openHold(holdOf(organizationId, 10));

it('announces in batches: asks to be run again while there is more', async () => {
  await addBudgets(250);
  await openCall();
  await test.database.prisma.budgetSpend.updateMany({ data: { spentNanos: 1_000n } });
  const spends = new BudgetSpendStore(test.database);
  const suppressed = suppressedBudgetEvents(createMetrics('worker'));
  expect(await announceBudgetCrossings(spends, suppressed)).toEqual({ more: true });
  expect(await announceBudgetCrossings(spends, suppressed)).toEqual({ more: false });
  expect(await test.database.prisma.outboxEvent.count({ where: { type: 'budget.exceeded' } })).toBe(250);
});

it('reconciles budgets with the books', async () => {
  await addBudgets(3);
  await openCall();
  await test.database.prisma.budgetSpend.updateMany({ data: { spentNanos: 1_000n, reservedNanos: 0n } });
  expect(await reconcileBudgets(new BudgetSpendStore(test.database))).toEqual({ more: false });
  const spends = await test.database.prisma.budgetSpend.findMany();
  expect(spends.map(({ spentNanos, reservedNanos }) => [spentNanos, reservedNanos])).toEqual(
    Array(3).fill([0n, 10n]),
  );
});
