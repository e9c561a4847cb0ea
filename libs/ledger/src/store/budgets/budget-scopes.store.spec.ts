import { type Database, openDatabase } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import fc from 'fast-check';
import { type Budget, budgetPeriodKey, budgetPeriods, budgetScopes, EACH } from '../../rules/budget/budget';
import { type HoldDecision } from '../../rules/budget/evaluate-budgets';
import { BudgetedOrganization, type CallOptions } from '../../testing/budgeted-organization';
import { SetClock } from '../../testing/set-clock';
import { LedgerStore } from '../wallet/ledger-store';
import { BudgetSpendStore } from './budget-spend-store';
import { BudgetSpendingStore } from './budget-spending';

let test: TestDatabase;
let organization: BudgetedOrganization;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  organization = await BudgetedOrganization.create(test.database, 1_000_000_000);
});

const admitted = (decisions: readonly HoldDecision[]): number =>
  decisions.filter(({ held }) => held !== null).length;
const endUser = (id: string) => ({ id, name: null, namedPerDayMax: 100_000 });

/** Two of each scope, of whom the first is named by a budget. */
async function twoOf(scope: Budget['scope']): Promise<readonly [CallOptions, CallOptions]> {
  const [first, second] = [await organization.addKey('mem_1'), await organization.addKey('mem_2')] as const;
  const common = { sessionId: 'chat', apiKeyId: first, endUser: endUser('eu_1') };
  switch (scope) {
    case 'project':
      return [common, { ...common, projectId: 'proj_2' }];
    case 'api_key':
    case 'member':
      return [common, { ...common, apiKeyId: second }];
    case 'model':
      return [common, { ...common, model: 'acme/large' }];
    case 'end_user':
      return [common, { ...common, endUser: endUser('eu_2') }];
    case 'organization':
      return [common, common];
  }
}

const subjectIn = (scope: Budget['scope'], call: CallOptions): string =>
  ({
    organization: organization.id,
    project: call.projectId ?? 'proj_1',
    api_key: call.apiKeyId!,
    member: 'mem_1',
    model: call.model ?? 'acme/small',
    end_user: call.endUser?.id ?? '',
  })[scope];

const cases = budgetScopes.flatMap((scope) =>
  budgetPeriods.flatMap((period) =>
    (['member', 'model', 'end_user'].includes(scope) ? [null, 'proj_1'] : [null]).map(
      (projectId) => [scope, period, projectId] as const,
    ),
  ),
);

describe.each(cases)(
  'a budget of the scope %s, the period %s and the project %s',
  (scope, period, projectId) => {
    it('pays exactly its amount at once, to each of its scope, and nothing to calls elsewhere', async () => {
      const [first, second] = await twoOf(scope);
      const inProject = (call: CallOptions): CallOptions => ({ projectId: 'proj_1', ...call });
      const isEach = scope !== 'organization';
      const scopeId = isEach ? EACH : organization.id;
      const budget = await organization.addBudget(500, { scope, scopeId, period, projectId });
      const calls = [first, second].flatMap((call) => Array.from({ length: 8 }, () => inProject(call)));
      const decisions = await Promise.all(calls.map((call) => organization.hold(call)));
      expect(admitted(decisions)).toBe(isEach ? 10 : 5);
      const reserved = Object.values(await organization.standing(budget)).map((row) => row.reserved);
      expect(reserved).toEqual(isEach ? [500n, 500n] : [500n]);
      if (projectId !== null) {
        const elsewhere = await organization.hold({ ...first, projectId: 'proj_2' });
        expect(elsewhere).toMatchObject({ held: 100n, budgetWarningBps: null });
      }
      if (!isEach) return;
      // An exception, up: it takes the place of the amount of each, for the one that it names.
      const subject = subjectIn(scope, first);
      await organization.addBudget(700, { scope, scopeId: subject, period, projectId });
      const more = await Promise.all(Array.from({ length: 8 }, () => organization.hold(inProject(first))));
      expect(admitted(more)).toBe(7);
      expect((await organization.hold(inProject(second))).held).toBeNull();
    });
  },
);

it('1,000 end users with 20 calls each at once over 3 edges: each gets exactly 5', async () => {
  const budget = await organization.addBudget(500, { scope: 'end_user', scopeId: EACH });
  const edges: Database[] = [1, 2, 3].map(() => openDatabase({ url: test.url, poolSize: 3 }));
  const ledgers = edges.map((edge) => new LedgerStore(edge));
  const got = new Map<string, number>();
  const hold = async (at: number): Promise<void> => {
    const id = `eu_${String((at * 7) % 1_000)}`;
    const { held } = await ledgers[at % 3]!.openHold(organization.callOf({ endUser: endUser(id) }));
    if (held !== null) got.set(id, (got.get(id) ?? 0) + 1);
  };
  // As many at once as are held within the 4 s that a caller waits, on a slow machine too.
  for (let from = 0; from < 20_000; from += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, at) => hold(from + at)));
  }
  await Promise.all(edges.map((edge) => edge.close()));
  expect(got.size).toBe(1_000);
  expect(new Set(got.values())).toEqual(new Set([5]));
  const rows = Object.values(await organization.standing(budget));
  expect(rows).toHaveLength(1_000);
  expect(rows.every(({ reserved }) => reserved === 500n)).toBe(true);
}, 120_000);

it('8 first calls at once of an unknown end user with too little are all refused', async () => {
  await organization.addBudget(99, { scope: 'end_user', scopeId: EACH });
  const call = { endUser: endUser('eu_new') };
  expect(admitted(await Promise.all(Array.from({ length: 8 }, () => organization.hold(call))))).toBe(0);
  expect(await organization.recordCount()).toBe(0);
});

it('an amount of each begins with what the one has used in the period', async () => {
  const call = { endUser: endUser('eu_1'), projectId: 'proj_1' };
  await organization.spend(300, call);
  await organization.spend(40, { ...call, projectId: null });
  const [all, narrowed] = [
    await organization.addBudget(1_000, { scope: 'end_user', scopeId: EACH, period: 'quarter' }),
    await organization.addBudget(1_000, {
      scope: 'end_user',
      scopeId: EACH,
      projectId: 'proj_1',
      period: 'week',
    }),
  ];
  await organization.hold({ ...call, holdMin: 7 });
  const only = async (budget: Budget) => Object.values(await organization.standing(budget));
  expect(await only(all)).toEqual([{ spent: 340n, reserved: 7n }]);
  expect(await only(narrowed)).toEqual([{ spent: 300n, reserved: 7n }]);
});

it('who spent what of a budget of each is listed, the most spent first', async () => {
  const budget = await organization.addBudget(1_000, { scope: 'model', scopeId: EACH });
  await organization.spend(100, { model: 'acme/small' });
  await organization.spend(250, { model: 'acme/large' });
  const store = new BudgetSpendingStore(test.database);
  const row = { sessionId: null, reserved: 0n };
  expect(await store.listSpends(budget, null)).toEqual([
    { ...row, scopeId: 'acme/large', name: 'acme/large', spent: 250n, consumedBps: 2_500 },
    { ...row, scopeId: 'acme/small', name: 'acme/small', spent: 100n, consumedBps: 1_000 },
  ]);
  expect(await store.listSpends(budget, 'acme/none')).toEqual([
    { ...row, scopeId: 'acme/none', name: 'acme/none', spent: 0n, consumedBps: 0 },
  ]);
  const [current, before] = await store.listPeriods(budget, 'acme/large');
  expect([current?.spent, before?.spent]).toEqual([250n, 0n]);
  const sessions = await organization.addBudget(1_000, { period: 'session' });
  await organization.spend(10, { sessionId: 'a' });
  expect(await store.listSpends(sessions, null)).toMatchObject([
    { scopeId: organization.id, name: 'Acme', sessionId: 'a', spent: 10n },
  ]);
  expect(await store.listPeriods(sessions, null)).toEqual([]);
});

it('a budget of each records at most 100 events of a type an hour, and names whose amount it was', async () => {
  // Crossings that other tests left.
  while ((await new BudgetSpendStore(test.database).announceCrossings(1_000)).reviewed > 0);
  const budget = await organization.addBudget(10, { scope: 'end_user', scopeId: EACH, action: 'warn' });
  await Promise.all(
    Array.from({ length: 130 }, (_, at) => organization.spend(10, { endUser: endUser(`eu_${String(at)}`) })),
  );
  const workers = [new BudgetSpendStore(test.database), new BudgetSpendStore(test.database)];
  const announced = await Promise.all(workers.map((worker) => worker.announceCrossings(1_000)));
  expect(announced.reduce((sum, { suppressed }) => sum + suppressed, 0)).toBe(60);
  const events = await test.database.prisma.outboxEvent.findMany({
    where: { organizationId: organization.id, type: 'budget.exceeded' },
  });
  expect(events).toHaveLength(100);
  const { data } = JSON.parse(events[0]!.payload) as { data: Record<string, unknown> };
  expect(data).toMatchObject({
    budget_id: budget.id,
    scope_id: EACH,
    period_key: expect.not.stringContaining(' ') as string,
  });
  expect(data['subject']).toMatch(/^eu_/);
});

describe('on the database’s clock', () => {
  let clock: SetClock;
  beforeAll(async () => {
    clock = await SetClock.open(test.database, test.url);
  });
  afterAll(() => clock.close());

  it.each([
    ['week', '2027-01-04T00:00:00.000Z', '2026-W53', '2027-W01'],
    ['quarter', '2027-01-01T00:00:00.000Z', '2026-Q4', '2027-Q1'],
    ['month', '2026-12-01T00:00:00.000Z', '2026-11', '2026-12'],
    ['day', '2026-11-29T00:00:00.000Z', '2026-11-28', '2026-11-29'],
  ] as const)(
    'a call 1 ms before the end of a %s and one 1 ms after count in their own',
    async (period, end, ...keys) => {
      const budget = await organization.addBudget(200, { scope: 'end_user', scopeId: EACH, period });
      const ledger = new LedgerStore(clock.connections);
      const atEnd = (ms: number) => clock.set(new Date(Date.parse(end) + ms).toISOString());
      const begun = [];
      for (const ms of [-1, 1]) {
        await atEnd(ms);
        const call = organization.callOf({ endUser: endUser('eu_1'), holdMin: 150 });
        expect((await ledger.openHold(call)).held).toBe(150n);
        expect((await ledger.openHold(organization.callOf({ endUser: endUser('eu_1') }))).held).toBeNull();
        begun.push(call);
      }
      // Both are settled in the later period.
      for (const [at, call] of begun.entries()) await organization.settle(call, 60 + at);
      expect(await organization.standing(budget)).toEqual({
        [`${keys[0]} eu_1`]: { spent: 60n, reserved: 0n },
        [`${keys[1]} eu_1`]: { spent: 61n, reserved: 0n },
      });
    },
  );

  it('an override ends on the millisecond, with 500 calls under way', async () => {
    const until = new Date('2026-12-24T18:00:00.000Z');
    const override = { amount: nanos(51_000), until, reason: 'launch' };
    await organization.addBudget(50_000, { override });
    const ledger = new LedgerStore(clock.connections);
    await clock.set('2026-12-24T17:59:59.999Z');
    const calls = Array.from({ length: 500 }, () => organization.callOf());
    expect(admitted(await Promise.all(calls.map((call) => ledger.openHold(call))))).toBe(500);
    expect((await ledger.openHold(organization.callOf())).held).toBe(100n);
    await clock.set('2026-12-24T18:00:00.000Z');
    expect((await ledger.openHold(organization.callOf())).held).toBeNull();
    await clock.set('2026-12-24T17:59:59.999Z');
    expect((await ledger.openHold(organization.callOf())).held).toBe(100n);
  });

  it('every day is in the same week and quarter by both rules, and a period has its days', async () => {
    const days = fc.sample(
      fc.date({ min: new Date('2000-01-01'), max: new Date('2100-12-31'), noInvalidDate: true }),
      400,
    );
    for (const period of ['day', 'week', 'month', 'quarter'] as const) {
      const { id } = await organization.addBudget(1, { period });
      const { rows } = await test.database.pool.query<{ key: string; contains: boolean }>(
        `SELECT key, d.first_day <= day::date AND day::date < d.end_day AS contains
         FROM budgets g, unnest($2::text[]) AS day, budget_period_key(g, day, NULL) AS key, budget_days(g.period, key) d
         WHERE g.id = $1 ORDER BY array_position($2::text[], day)`,
        [id, [...new Set(days.map((day) => day.toISOString().slice(0, 10)))]],
      );
      const expected = [...new Set(days.map((day) => day.toISOString().slice(0, 10)))].map((day) => ({
        key: budgetPeriodKey(period, null, Date.parse(day)),
        contains: true,
      }));
      expect(rows).toEqual(expected);
    }
  });
});
