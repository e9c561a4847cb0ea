import { nanos } from '@svc/kernel';
import fc from 'fast-check';

import { amountInForce, type Budget, type BudgetedCall, budgetPeriodKey, budgetsThatCount } from './budget';
import { type BudgetUsage, evaluateBudgets, holdRefusedError } from './evaluate-budgets';

const budgetOf = (changes: Partial<Budget> = {}): Budget => ({
  id: 'bud_1',
  name: 'Team',
  scope: 'organization',
  scopeId: 'org_1',
  projectId: null,
  period: 'month',
  amount: nanos(1_000),
  override: null,
  action: 'block',
  warnAtBps: 8_000,
  enabled: true,
  ...changes,
});
const usageOf = (consumed: number, changes: Partial<Budget> = {}): BudgetUsage => ({
  budget: budgetOf(changes),
  consumed: nanos(consumed),
});
const range = (holdMin: number, holdMax = holdMin) => ({ holdMin: nanos(holdMin), holdMax: nanos(holdMax) });
const RICH = nanos(1_000_000);

describe('a budget', () => {
  const call = {
    organizationId: 'org_1',
    projectId: 'proj_1',
    apiKeyId: 'key_1',
    memberId: 'mem_1',
    model: 'acme/small',
    endUserId: 'eu_1',
    sessionId: null,
  };
  const isCounted = (budget: Budget, changes: Partial<BudgetedCall> = {}) =>
    budgetsThatCount([budget], { ...call, ...changes }).length === 1;

  it.each<[string, Partial<Budget>, boolean]>([
    ['every call of its organization', {}, true],
    ['the calls of its project', { scope: 'project', scopeId: 'proj_1' }, true],
    ['no call of another project', { scope: 'project', scopeId: 'proj_2' }, false],
    ['the calls of its key', { scope: 'api_key', scopeId: 'key_1' }, true],
    ['no call of another key', { scope: 'api_key', scopeId: 'key_2' }, false],
    ['no call without a session when it is one for sessions', { period: 'session' }, false],
    ['nothing while it is disabled', { enabled: false }, false],
    ['the calls of its member’s keys', { scope: 'member', scopeId: 'mem_1' }, true],
    ['no call of another member’s key', { scope: 'member', scopeId: 'mem_2' }, false],
    ['the calls of its model', { scope: 'model', scopeId: 'acme/small' }, true],
    ['no call of another model', { scope: 'model', scopeId: 'acme/large' }, false],
    ['the calls of its end user', { scope: 'end_user', scopeId: 'eu_1' }, true],
    ['no call of another end user', { scope: 'end_user', scopeId: 'eu_2' }, false],
    ['the calls of everybody when it is of each', { scope: 'end_user', scopeId: '*' }, true],
    ['the calls of its model in its project', { scope: 'model', scopeId: '*', projectId: 'proj_1' }, true],
    ['no call in another project', { scope: 'model', scopeId: '*', projectId: 'proj_2' }, false],
  ])('counts %s', (_, changes, expected) => {
    expect(isCounted(budgetOf(changes))).toBe(expected);
  });

  it('of a project counts no call without a project', () => {
    const budget = budgetOf({ scope: 'project', scopeId: 'proj_1' });
    expect(isCounted(budget, { projectId: null })).toBe(false);
  });

  it('of each counts no call that has none of its scope', () => {
    for (const scope of ['project', 'member', 'end_user'] as const) {
      const nobody = { projectId: null, memberId: null, endUserId: null };
      expect(isCounted(budgetOf({ scope, scopeId: '*' }), nobody)).toBe(false);
    }
  });

  it('that names somebody takes the place of that of each, of the same scope, period and project', () => {
    const each = budgetOf({ id: 'bud_1', scope: 'end_user', scopeId: '*' });
    const named = budgetOf({ ...each, id: 'bud_2', scopeId: 'eu_1' });
    const idsOf = (...budgets: Budget[]) => budgetsThatCount(budgets, call).map(({ id }) => id);
    expect(idsOf(each, named)).toEqual(['bud_2']);
    expect(idsOf(each, { ...named, enabled: false })).toEqual(['bud_1']);
    expect(idsOf(each, { ...named, scopeId: 'eu_2' })).toEqual(['bud_1']);
    expect(idsOf(each, { ...named, period: 'day' })).toEqual(['bud_1', 'bud_2']);
    expect(idsOf(each, { ...named, projectId: 'proj_1' })).toEqual(['bud_1', 'bud_2']);
  });

  it('has the amount of its override up to its last millisecond', () => {
    const until = new Date('2026-12-01T00:00:00.000Z');
    const budget = budgetOf({ override: { amount: nanos(5), until, reason: 'launch' } });
    expect(amountInForce(budget, until.getTime() - 1)).toBe(5n);
    expect(amountInForce(budget, until.getTime())).toBe(1_000n);
    expect(amountInForce(budgetOf(), 0)).toBe(1_000n);
  });

  it('resets on Monday by ISO 8601, and with each quarter', () => {
    const keyOf = (period: Budget['period'], time: string) => budgetPeriodKey(period, null, Date.parse(time));
    expect(keyOf('week', '2026-12-27T23:59:59.999Z')).toBe('2026-W52');
    expect(keyOf('week', '2026-12-28T00:00:00.000Z')).toBe('2026-W53');
    expect(keyOf('week', '2027-01-03T23:59:59.999Z')).toBe('2026-W53');
    expect(keyOf('week', '2027-01-04T00:00:00.000Z')).toBe('2027-W01');
    expect(keyOf('quarter', '2026-12-31T23:59:59.999Z')).toBe('2026-Q4');
    expect(keyOf('quarter', '2027-01-01T00:00:00.000Z')).toBe('2027-Q1');
    expect(keyOf('quarter', '2026-06-30T23:59:59.999Z')).toBe('2026-Q2');
  });

  it('resets at midnight UTC, on the first of the month, or with each session', () => {
    const lastOfYear = Date.UTC(2026, 11, 31, 23, 59, 59, 999);
    expect(budgetPeriodKey('day', null, lastOfYear)).toBe('2026-12-31');
    expect(budgetPeriodKey('day', null, lastOfYear + 1)).toBe('2027-01-01');
    expect(budgetPeriodKey('month', null, lastOfYear)).toBe('2026-12');
    expect(budgetPeriodKey('month', null, lastOfYear + 1)).toBe('2027-01');
    expect(budgetPeriodKey('session', 'chat-7', lastOfYear)).toBe('chat-7');
    expect(budgetPeriodKey('session', null, lastOfYear)).toBeNull();
  });
});

describe('a blocking budget', () => {
  it('allows a call that uses it up exactly', () => {
    expect(evaluateBudgets([usageOf(900)], range(100), RICH)).toMatchObject({ held: 100n, refusedBy: null });
  });

  it('refuses a call that would exceed it, and is named', () => {
    const { refusedBy } = evaluateBudgets([usageOf(901, { id: 'bud_9', name: 'Night' })], range(100), RICH);
    expect(refusedBy).toEqual({ budgetId: 'bud_9', budgetName: 'Night' });
    expect(holdRefusedError(refusedBy!)).toMatchObject({ code: 'budget_exceeded', param: 'budget' });
    expect(holdRefusedError(refusedBy!).message).toContain('"Night"');
  });

  it('bounds a hold that may be smaller', () => {
    expect(evaluateBudgets([usageOf(700)], range(100, 500), RICH)).toMatchObject({ held: 300n });
  });

  it('is named rather than an empty wallet', () => {
    expect(evaluateBudgets([usageOf(1_000)], range(1), nanos(0)).refusedBy).toMatchObject({
      budgetId: 'bud_1',
    });
    expect(evaluateBudgets([usageOf(0)], range(1), nanos(0)).refusedBy).toBe('wallet');
  });

  it('with the least left is the one named', () => {
    const usages = [
      usageOf(950, { id: 'bud_1' }),
      usageOf(990, { id: 'bud_2' }),
      usageOf(990, { id: 'bud_3' }),
    ];
    expect(evaluateBudgets(usages, range(100), RICH).refusedBy).toMatchObject({ budgetId: 'bud_2' });
  });

  it('of 0 refuses every call that costs something, but not a free one', () => {
    const nothing = [usageOf(0, { amount: nanos(0) })];
    expect(evaluateBudgets(nothing, range(1), RICH)).toMatchObject({ held: null, budgetWarningBps: 10_000n });
    expect(evaluateBudgets(nothing, range(0), RICH)).toMatchObject({ held: 0n, budgetWarningBps: 10_000n });
  });
});

describe('the warning', () => {
  it('is the projected consumption with this call, rounded down, once it reaches the threshold', () => {
    expect(evaluateBudgets([usageOf(725)], range(100), RICH).budgetWarningBps).toBe(8_250n);
    expect(evaluateBudgets([usageOf(700)], range(100), RICH).budgetWarningBps).toBe(8_000n);
    expect(evaluateBudgets([usageOf(699)], range(100), RICH).budgetWarningBps).toBeNull();
    const thirds = usageOf(1, { amount: nanos(3), warnAtBps: 1 });
    expect(evaluateBudgets([thirds], range(1), RICH).budgetWarningBps).toBe(6_666n);
  });

  it('is that of the most-consumed budget, by that budget’s threshold', () => {
    const calm = usageOf(800, { warnAtBps: 10_000 });
    const nervous = usageOf(100, { warnAtBps: 1_000 });
    expect(evaluateBudgets([calm, nervous], range(100), RICH).budgetWarningBps).toBeNull();
    const equal = usageOf(800, { warnAtBps: 1_000 });
    expect(evaluateBudgets([calm, equal], range(100), RICH).budgetWarningBps).toBe(9_000n);
  });

  it('of a refused call includes its minimum hold', () => {
    const decision = evaluateBudgets([usageOf(950)], range(100, 500), RICH);
    expect(decision).toMatchObject({ held: null, budgetWarningBps: 10_500n });
  });

  it('is the only effect of a warning budget', () => {
    const spent = usageOf(5_000, { action: 'warn' });
    const decision = evaluateBudgets([spent], range(100), RICH);
    expect(decision).toEqual({ held: 100n, refusedBy: null, budgetWarningBps: 51_000n });
  });
});

it('a hold never exceeds the wallet or a blocking budget, and refuses only calls that do not fit', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(nanos);
  const arbitraryUsage = fc.record({
    budget: fc
      .record({ amount, action: fc.constantFrom<Budget['action']>('warn', 'block') })
      .map((changes) => budgetOf(changes)),
    consumed: amount,
  });
  fc.assert(
    fc.property(
      fc.array(arbitraryUsage, { maxLength: 5 }),
      amount,
      amount,
      amount,
      (usages, a, b, available) => {
        const [holdMin, holdMax] = a < b ? [a, b] : [b, a];
        const { held } = evaluateBudgets(usages, { holdMin, holdMax }, available);
        const rooms = usages
          .filter(({ budget }) => budget.action === 'block')
          .map(({ budget, consumed }) => budget.amount - consumed);
        const most = [holdMax, available, ...rooms].reduce((x, y) => (x < y ? x : y));
        expect(held).toBe(most < holdMin ? null : most);
      },
    ),
  );
});
