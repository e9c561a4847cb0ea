import { type Database, openDatabase } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { type Budget } from '../../rules/budget/budget';
import { type HoldDecision } from '../../rules/budget/evaluate-budgets';
import {
  type BudgetOptions,
  BudgetedOrganization,
  type CallOptions,
} from '../../testing/budgeted-organization';
import { LedgerStore } from '../wallet/ledger-store';

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

const refusedBy = ({ id, name }: Budget) => ({ budgetId: id, budgetName: name });
const admitted = (decisions: readonly HoldDecision[]): number =>
  decisions.filter(({ held }) => held !== null).length;

describe('a blocking budget', () => {
  let otherEdge: Database;
  beforeAll(() => {
    otherEdge = openDatabase({ url: test.url, poolSize: 5 });
  });
  afterAll(() => otherEdge.close());

  it('that can pay 50 of 500 concurrent calls from two edges admits exactly 50', async () => {
    const budget = await organization.addBudget(5_050);
    const edges = [organization.ledger, new LedgerStore(otherEdge)];
    const calls = Array.from({ length: 500 }, () => organization.callOf());
    const decisions = await Promise.all(calls.map((call, at) => edges[at % 2]!.openHold(call)));
    expect(admitted(decisions)).toBe(50);
    for (const decision of decisions) {
      if (decision.held === null) expect(decision.refusedBy).toEqual(refusedBy(budget));
    }
    expect(await organization.wallet()).toEqual({ balance: 1_000_000n, held: 5_000n });
    expect(await organization.recordCount()).toBe(50);
    expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 0n, reserved: 5_000n } });
  });

  it('never pays more than its amount while calls come, go and cost less than they held', async () => {
    const budget = await organization.addBudget(3_000, { period: 'day' });
    const edges = [organization.ledger, new LedgerStore(otherEdge)];
    const serve = async (at: number): Promise<void> => {
      const call = organization.callOf({ holdMin: 50, holdMax: 200 });
      const { held } = await edges[at % 2]!.openHold(call);
      if (held !== null) await organization.settle(call, (at * 37) % Number(held + 1n));
    };
    await Promise.all(Array.from({ length: 400 }, (_, at) => serve(at)));
    const { spent, reserved } = (await organization.standing(budget))[today]!;
    const { balance } = await organization.wallet();
    expect(reserved).toBe(0n);
    expect(spent).toBeLessThan(3_000n);
    expect(spent).toBe(1_000_000n - balance);
    // Refused calls use up nothing: the rest can still be spent.
    expect((await organization.hold({ holdMin: 1, holdMax: 3_000 })).held).toBe(3_000n - spent);
  });

  it('that refuses leaves nothing behind but the time of its first refusal', async () => {
    const budget = await organization.addBudget(99);
    const watching = await organization.addBudget(1_000, { action: 'warn' });
    expect(await organization.hold()).toMatchObject({ held: null, refusedBy: refusedBy(budget) });
    const first = await test.database.prisma.budgetSpend.findMany({ where: { budgetId: budget.id } });
    expect(first).toMatchObject([{ spentNanos: 0n, reservedNanos: 0n, refusedAt: expect.any(Date) as Date }]);
    await organization.hold();
    expect(await test.database.prisma.budgetSpend.findMany({ where: { budgetId: budget.id } })).toEqual(
      first,
    );
    expect(await organization.standing(watching)).toEqual({});
    expect(await organization.wallet()).toEqual({ balance: 1_000_000n, held: 0n });
    expect(await organization.recordCount()).toBe(0);
  });

  it('bounds a hold that may be smaller, and lets a small call in behind a large one', async () => {
    await organization.addBudget(1_000);
    const asked: CallOptions[] = [
      { holdMin: 300, holdMax: 700 },
      { holdMin: 400 },
      { holdMin: 200, holdMax: 900 },
      { holdMin: 1 },
    ];
    const decisions = await Promise.all(asked.map((call) => organization.hold(call)));
    expect(decisions.map(({ held }) => held)).toEqual([700n, null, 300n, null]);
  });

  it('is named before the wallet is', async () => {
    const poor = await BudgetedOrganization.create(test.database, 50);
    expect((await poor.hold()).refusedBy).toBe('wallet');
    const budget = await poor.addBudget(60);
    expect((await poor.hold()).refusedBy).toEqual(refusedBy(budget));
    expect((await poor.hold({ holdMin: 60 })).refusedBy).toBe('wallet');
  });

  it('of nothing refuses all that costs, and lets in what is free', async () => {
    await organization.addBudget(0);
    expect(await organization.hold({ holdMin: 1 })).toMatchObject({ held: null, budgetWarningBps: 10_000n });
    expect(await organization.hold({ holdMin: 0 })).toMatchObject({ held: 0n, budgetWarningBps: 10_000n });
  });
});

describe('a budget that does not block', () => {
  it.each<[string, BudgetOptions]>([
    ['because it only warns', { action: 'warn' }],
    ['because it is disabled', { enabled: false }],
    ['because it is another project’s', { scope: 'project', scopeId: 'proj_9' }],
    ['because it is another key’s', { scope: 'api_key', scopeId: 'key_9' }],
    ['because the call has no session', { period: 'session' }],
  ])('%s lets every call in', async (_, options) => {
    await organization.addBudget(10, options);
    expect(await organization.hold()).toMatchObject({ held: 100n, refusedBy: null });
  });

  it('because it is another organization’s lets every call in', async () => {
    const stranger = await BudgetedOrganization.create(test.database);
    await stranger.addBudget(10);
    expect(await organization.hold()).toMatchObject({ held: 100n, budgetWarningBps: null });
  });
});

describe('budgets of several scopes', () => {
  it('each count the calls in their scope, and the one with least left refuses', async () => {
    const all = await organization.addBudget(1_000);
    const project = await organization.addBudget(300, { scope: 'project', scopeId: 'proj_1', period: 'day' });
    const key = await organization.addBudget(200, { scope: 'api_key', scopeId: 'key_1' });
    const keyCall: CallOptions = { projectId: 'proj_1', apiKeyId: 'key_1' };
    const otherKey: CallOptions = { projectId: 'proj_1', apiKeyId: 'key_2' };
    expect(admitted([await organization.hold(keyCall), await organization.hold(keyCall)])).toBe(2);
    expect((await organization.hold(keyCall)).refusedBy).toEqual(refusedBy(key));
    expect((await organization.hold(otherKey)).held).toBe(100n);
    expect((await organization.hold(otherKey)).refusedBy).toEqual(refusedBy(project));
    expect((await organization.hold({ apiKeyId: 'key_2' })).held).toBe(100n);
    expect(await organization.standing(all)).toEqual({ [thisMonth]: { spent: 0n, reserved: 400n } });
    expect(await organization.standing(project)).toEqual({ [today]: { spent: 0n, reserved: 300n } });
    expect(await organization.standing(key)).toEqual({ [thisMonth]: { spent: 0n, reserved: 200n } });
  });

  it('that have equally little left refuse by the first of their ids', async () => {
    const budgets = [await organization.addBudget(50), await organization.addBudget(50)];
    const [first] = budgets.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect((await organization.hold()).refusedBy).toEqual(refusedBy(first!));
  });

  it('of several organizations in one round trip don’t mix', async () => {
    const organizations = await Promise.all([1, 2, 3].map(() => BudgetedOrganization.create(test.database)));
    const budgets = await Promise.all(organizations.map((one) => one.addBudget(500)));
    const calls = Array.from({ length: 60 }, (_, at) => organizations[at % 3]!.callOf());
    const decisions = await Promise.all(calls.map((call) => organization.ledger.openHold(call)));
    expect(admitted(decisions)).toBe(15);
    for (const [at, one] of organizations.entries()) {
      expect(await one.standing(budgets[at]!)).toEqual({ [thisMonth]: { spent: 0n, reserved: 500n } });
    }
  });
});

describe('a budget of sessions', () => {
  it('gives each session of its scope an amount of its own', async () => {
    const budget = await organization.addBudget(200, { period: 'session' });
    const of = (sessionId: string | null) => organization.hold({ sessionId });
    const decisions = [await of('a'), await of('a'), await of('a'), await of('b'), await of(null)];
    expect(decisions.map(({ held }) => held)).toEqual([100n, 100n, null, 100n, 100n]);
    const standing = { spent: 0n, reserved: 200n };
    expect(await organization.standing(budget)).toEqual({ a: standing, b: { ...standing, reserved: 100n } });
  });

  it('starts a session at nothing, whatever was spent in the month', async () => {
    await organization.spend(150, { sessionId: 'a' });
    const budget = await organization.addBudget(100, { period: 'session' });
    await organization.hold({ sessionId: 'a' });
    expect(await organization.standing(budget)).toEqual({ a: { spent: 0n, reserved: 100n } });
  });
});

describe('a settlement', () => {
  it('turns what a budget reserved into what the call cost', async () => {
    const budget = await organization.addBudget(1_000);
    const call = organization.callOf({ holdMin: 400 });
    await organization.ledger.openHold(call);
    await organization.settle(call, 150);
    expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 150n, reserved: 0n } });
    await organization.settle(call, 150);
    expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 150n, reserved: 0n } });
  });

  it('spends of a budget no more than the customer is charged', async () => {
    const budget = await organization.addBudget(1_000);
    const call = organization.callOf({ holdMin: 400 });
    await organization.ledger.openHold(call);
    await organization.settle(call, 900);
    expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 400n, reserved: 0n } });
  });

  it('after midnight spends of the day in which the call began', async () => {
    const budget = await organization.addBudget(1_000, { period: 'day' });
    const call = organization.callOf({ holdMin: 400 });
    await organization.ledger.openHold(call);
    // As if the call had begun the day before.
    const yesterday = new Date(Date.parse(today) - 1).toISOString().slice(0, 10);
    await test.database.prisma.budgetSpend.updateMany({
      where: { budgetId: budget.id },
      data: { periodKey: yesterday },
    });
    await test.database.prisma.requestRecord.update({
      where: { id: call.requestId },
      data: { budgetPeriods: [{ budget_id: budget.id, period_key: yesterday }] },
    });
    expect((await organization.hold({ holdMin: 1_000 })).held).toBe(1_000n);
    await organization.settle(call, 300);
    expect(await organization.standing(budget)).toEqual({
      [yesterday]: { spent: 300n, reserved: 0n },
      [today]: { spent: 0n, reserved: 1_000n },
    });
  });

  it('outlives its budget', async () => {
    const budget = await organization.addBudget(1_000);
    const call = organization.callOf();
    await organization.ledger.openHold(call);
    await test.database.prisma.budget.delete({ where: { id: budget.id } });
    expect(await organization.settle(call, 50)).toBe(true);
    expect(await organization.wallet()).toEqual({ balance: 999_950n, held: 0n });
  });

  it('is not stopped by a budget that reserved less than it says', async () => {
    const budget = await organization.addBudget(1_000);
    const call = organization.callOf();
    await organization.ledger.openHold(call);
    await test.database.prisma.budgetSpend.updateMany({
      where: { budgetId: budget.id },
      data: { reservedNanos: 1n },
    });
    expect(await organization.settle(call, 50)).toBe(true);
    expect(await organization.standing(budget)).toEqual({ [thisMonth]: { spent: 50n, reserved: 0n } });
  });
});

describe('a budget that is made in the middle of a period', () => {
  it('knows what its scope has spent in it', async () => {
    await organization.spend(100, { projectId: 'proj_1' });
    await organization.spend(200, { projectId: 'proj_1', apiKeyId: 'key_2' });
    await organization.spend(400, { apiKeyId: 'key_2' });
    const lastYear = new Date('2025-11-20');
    await test.database.prisma.usageDay.updateMany({
      where: { organizationId: organization.id, customerNanos: 400n },
      data: { day: lastYear },
    });
    const budgets = await Promise.all([
      organization.addBudget(1_000),
      organization.addBudget(1_000, { period: 'day' }),
      organization.addBudget(1_000, { scope: 'project', scopeId: 'proj_1' }),
      organization.addBudget(1_000, { scope: 'api_key', scopeId: 'key_2' }),
    ]);
    await organization.hold({ projectId: 'proj_1', apiKeyId: 'key_2', holdMin: 7 });
    const reserved = 7n;
    expect(await Promise.all(budgets.map((budget) => organization.standing(budget)))).toEqual([
      { [thisMonth]: { spent: 300n, reserved } },
      { [today]: { spent: 300n, reserved } },
      { [thisMonth]: { spent: 300n, reserved } },
      { [thisMonth]: { spent: 200n, reserved } },
    ]);
  });

  it('below what was spent refuses from the first call on', async () => {
    await organization.spend(500);
    const budget = await organization.addBudget(400);
    expect((await organization.hold({ holdMin: 0 })).refusedBy).toEqual(refusedBy(budget));
  });
});

describe('the warning', () => {
  it('is the projected consumption of what is spent, reserved and asked, once it reaches the threshold', async () => {
    await organization.addBudget(1_000);
    await organization.spend(425);
    expect(await organization.hold({ holdMin: 374 })).toMatchObject({ budgetWarningBps: null });
    expect(await organization.hold({ holdMin: 1 })).toMatchObject({ held: 1n, budgetWarningBps: 8_000n });
    expect(await organization.hold({ holdMin: 25 })).toMatchObject({ held: 25n, budgetWarningBps: 8_250n });
    expect(await organization.hold({ holdMin: 300 })).toMatchObject({
      held: null,
      budgetWarningBps: 11_250n,
    });
  });

  it('stands beside a refusal of the wallet', async () => {
    const poor = await BudgetedOrganization.create(test.database, 50);
    await poor.addBudget(110, { action: 'warn' });
    expect(await poor.hold()).toEqual({ held: null, refusedBy: 'wallet', budgetWarningBps: 9_090n });
  });

  it('has room for a tiny budget under a huge call', async () => {
    const rich = await BudgetedOrganization.create(test.database, Number.MAX_SAFE_INTEGER);
    await rich.addBudget(1, { action: 'warn' });
    const { budgetWarningBps } = await rich.hold({ holdMin: Number.MAX_SAFE_INTEGER });
    expect(budgetWarningBps).toBe(nanos(Number.MAX_SAFE_INTEGER) * 10_000n);
  });
});
