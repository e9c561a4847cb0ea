import { nanos } from '@svc/kernel';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { createLogger, createMetrics, type Registry } from '@svc/runtime/observability';
import { MoneyFigures } from '@svc/usage/store';
import { measureOrganizations } from './usage.metrics';

type Figures = Parameters<typeof measureOrganizations>[0]['figures'];

const logger = createLogger({ service: 'worker', level: 'silent' });
let nowMs = 0;

const measure = (figures: Figures): Registry => {
  const metrics = createMetrics('worker');
  measureOrganizations({ figures, metrics, logger, now: () => nowMs });
  return metrics;
};
const linesOf = async (metrics: Registry): Promise<readonly string[]> =>
  (await metrics.metrics()).split('\n').filter((line) => /^svc_(?:wallet|budget)/.test(line));

describe('the metrics of organizations', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase();
  });
  afterAll(() => test.close());

  it('show wallets and the budgets of the current day and month, in dollars', async () => {
    const organizationId = systemIds('organization');
    const { prisma } = test.database;
    await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
    await new WalletStore(test.database).credit(organizationId, nanos(2_500_000_000), 'test');
    await prisma.wallet.update({ where: { organizationId }, data: { heldNanos: 500_000_000 } });
    const budget = {
      organizationId,
      name: 'B',
      scope: 'organization',
      scopeId: '',
      action: 'warn',
      warnAtBps: 1,
    };
    const today = new Date().toISOString();
    for (const [id, period, enabled] of [
      ['d', 'day', true],
      ['m', 'month', true],
      ['s', 'session', true],
      ['off', 'day', false],
    ] as const) {
      await prisma.budget.create({ data: { ...budget, id, period, enabled, amountNanos: 4_000_000_000 } });
    }
    for (const periodKey of [today.slice(0, 7), '2001-01']) {
      await prisma.budgetSpend.create({ data: { budgetId: 'm', periodKey, spentNanos: 1_250_000_000 } });
    }

    const wallet = `{organization_id="${organizationId}",service="worker"}`;
    const ofBudget = (id: string, period: string) =>
      `{organization_id="${organizationId}",budget_id="${id}",period="${period}",service="worker"}`;
    expect(await linesOf(measure(new MoneyFigures(test.database)))).toEqual([
      `svc_wallet_balance_usd${wallet} 2.5`,
      `svc_wallet_held_usd${wallet} 0.5`,
      `svc_budget_spent_usd${ofBudget('d', 'day')} 0`,
      `svc_budget_spent_usd${ofBudget('m', 'month')} 1.25`,
      `svc_budget_limit_usd${ofBudget('d', 'day')} 4`,
      `svc_budget_limit_usd${ofBudget('m', 'month')} 4`,
    ]);
  });

  it('are read once for all gauges and scrapes of 15 seconds', async () => {
    let readings = 0;
    const wallet = () => ({ organizationId: 'org_1', balance: nanos(readings * 1e9), held: nanos(0) });
    const metrics = measure({
      wallets: () => {
        readings++;
        return Promise.resolve([wallet()]);
      },
      budgets: () => Promise.resolve([]),
    });
    await Promise.all([linesOf(metrics), linesOf(metrics)]);
    nowMs += 14_999;
    expect((await linesOf(metrics))[0]).toMatch(/ 1$/);
    nowMs += 1;
    expect((await linesOf(metrics))[0]).toMatch(/ 2$/);
    expect(readings).toBe(2);
  });

  it('are asked for up to 10,000 series', async () => {
    const asked: number[] = [];
    const ask = (limit: number) => {
      asked.push(limit);
      return Promise.resolve([]);
    };
    await linesOf(measure({ wallets: ask, budgets: ask }));
    expect(2 * asked.reduce((sum, limit) => sum + limit, 0)).toBe(10_000);
  });

  it('are left out of a scrape while the database fails or hangs, and come back', async () => {
    let answer: () => Promise<never[]> = () => Promise.reject(new Error('away'));
    const wallets = () =>
      answer().then(() => [{ organizationId: 'org_1', balance: nanos(1), held: nanos(0) }]);
    const metrics = measure({ wallets, budgets: () => Promise.resolve([]) });
    expect(await linesOf(metrics)).toEqual([]);
    answer = () => new Promise(() => undefined);
    nowMs += 15_000;
    expect(await linesOf(metrics)).toEqual([]);
    expect(await metrics.metrics()).toContain('process_cpu_seconds_total');
    answer = () => Promise.resolve([]);
    nowMs += 15_000;
    expect(await linesOf(metrics)).toHaveLength(2);
  });
});
