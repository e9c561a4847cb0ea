import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { addNanos, type Nanos, nanos, subtractNanos, ZERO_NANOS } from '@svc/kernel';
import fc from 'fast-check';
import { type Budget, budgetPeriodKey, isInScope } from '../../rules/budget/budget';
import { evaluateBudgets, type HoldDecision } from '../../rules/budget/evaluate-budgets';
import {
  type BudgetOptions,
  BudgetedOrganization,
  type CallOptions,
} from '../../testing/budgeted-organization';
import { type HoldRequest } from '../wallet/hold-request';

const CREDIT = 3_000;
const RUNS = 40;

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

/** The wallet and budgets by the pure rule, one call at a time. */
class Model {
  private available = nanos(CREDIT);
  private readonly consumed = new Map<string, Nanos>();
  private readonly open = new Map<string, { readonly held: Nanos; readonly keys: readonly string[] }>();

  constructor(private readonly budgets: readonly Budget[]) {}

  get openCalls(): readonly string[] {
    return [...this.open.keys()];
  }

  hold(call: HoldRequest): HoldDecision {
    const inScope = this.budgets
      .filter((budget) => isInScope(budget, call))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const keys = inScope.map(
      ({ id, period }) => `${id}/${budgetPeriodKey(period, call.sessionId, Date.now()) ?? ''}`,
    );
    const standings = inScope.map((budget, at) => ({
      budget,
      consumed: this.consumed.get(keys[at]!) ?? ZERO_NANOS,
    }));
    const decision = evaluateBudgets(standings, call, this.available);
    if (decision.held !== null) {
      this.book(keys, decision.held);
      this.open.set(call.requestId, { held: decision.held, keys });
    }
    return decision;
  }

  settle(requestId: string, charge: Nanos): void {
    const { held, keys } = this.open.get(requestId)!;
    this.open.delete(requestId);
    this.book(keys, subtractNanos(charge < held ? charge : held, held));
  }

  private book(keys: readonly string[], amount: Nanos): void {
    this.available = subtractNanos(this.available, amount);
    for (const key of keys) this.consumed.set(key, addNanos(this.consumed.get(key) ?? ZERO_NANOS, amount));
  }
}

const arbitraryBudget = fc.record({
  amountNanos: fc.nat({ max: 2_000 }),
  scoped: fc.constantFrom<BudgetOptions>(
    {},
    { scope: 'project', scopeId: 'proj_1' },
    { scope: 'api_key', scopeId: 'key_2' },
  ),
  period: fc.constantFrom<Budget['period']>('day', 'month', 'session'),
  action: fc.constantFrom<Budget['action']>('block', 'warn'),
  warnAtBps: fc.integer({ min: 1, max: 10_000 }),
  enabled: fc.constantFrom(true, true, true, false),
});
const arbitraryCall: fc.Arbitrary<CallOptions> = fc
  .record({
    projectId: fc.constantFrom(null, 'proj_1', 'proj_2'),
    apiKeyId: fc.constantFrom('key_1', 'key_2'),
    sessionId: fc.constantFrom(null, 'a', 'b'),
    holdMin: fc.nat({ max: 300 }),
    more: fc.nat({ max: 300 }),
  })
  .map(({ more, ...call }) => ({ ...call, holdMax: call.holdMin + more }));
const arbitraryStep = fc.oneof(
  fc.array(arbitraryCall, { minLength: 1, maxLength: 12 }).map((calls) => ({ calls })),
  fc.record({ settles: fc.nat(), charge: fc.nat({ max: 400 }) }),
);

it('open_holds decides every call of a random series as the pure rule does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(arbitraryBudget, { maxLength: 4 }),
      fc.array(arbitraryStep, { maxLength: 15 }),
      async (drafts, steps) => {
        const organization = await BudgetedOrganization.create(test.database, CREDIT);
        const budgets: Budget[] = [];
        for (const { amountNanos, scoped, ...options } of drafts) {
          budgets.push(await organization.addBudget(amountNanos, { ...scoped, ...options }));
        }
        const model = new Model(budgets);
        for (const step of steps) {
          if ('calls' in step) {
            const calls = step.calls.map((call) => organization.callOf(call));
            const decisions = await Promise.all(calls.map((call) => organization.ledger.openHold(call)));
            expect(decisions).toEqual(calls.map((call) => model.hold(call)));
          } else {
            const { openCalls } = model;
            const requestId = openCalls[step.settles % openCalls.length];
            if (requestId === undefined) continue;
            await organization.settle({ ...organization.callOf(), requestId }, step.charge);
            model.settle(requestId, nanos(step.charge));
          }
        }
      },
    ),
    { numRuns: RUNS },
  );
});
