import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { addNanos, minNanos, type Nanos, nanos, subtractNanos, ZERO_NANOS } from '@svc/kernel';
import fc from 'fast-check';
import {
  amountInForce,
  type Budget,
  budgetPeriodKey,
  budgetsThatCount,
  EACH,
  spendKey,
  subjectOf,
} from '../../rules/budget/budget';
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
  private readonly open = new Map<
    string,
    { readonly held: Nanos; readonly budgetHeld: Nanos; readonly keys: readonly string[] }
  >();

  constructor(
    private readonly budgets: readonly Budget[],
    private readonly memberOf: (keyId: string) => string | null,
  ) {}

  get openCalls(): readonly string[] {
    return [...this.open.keys()];
  }

  hold(call: HoldRequest): HoldDecision {
    const facts = {
      ...call,
      memberId: this.memberOf(call.apiKeyId),
      endUserId: call.endUser?.id ?? null,
    };
    const counting = budgetsThatCount(this.budgets, facts).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const keys = counting.map(({ id, scope, scopeId, period }) => {
      const periodKey = budgetPeriodKey(period, call.sessionId, Date.now()) ?? '';
      return `${id}/${spendKey(periodKey, scopeId === EACH ? subjectOf(scope, facts) : null)}`;
    });
    const standings = counting.map((budget, at) => ({
      budget: { ...budget, amount: amountInForce(budget, Date.now()) },
      consumed: this.consumed.get(keys[at]!) ?? ZERO_NANOS,
    }));
    const decision = evaluateBudgets(standings, call, this.available);
    if (decision.held !== null) {
      const { held, budgetHeld = held } = decision;
      this.book(keys, held, budgetHeld);
      this.open.set(call.requestId, { held, budgetHeld, keys });
    }
    return decision;
  }

  settle(requestId: string, cost: Nanos, providerCost: Nanos): void {
    const { held, budgetHeld, keys } = this.open.get(requestId)!;
    this.open.delete(requestId);
    const charge = minNanos(cost, held);
    const counted = minNanos(addNanos(charge, providerCost), budgetHeld);
    this.book(keys, subtractNanos(charge, held), subtractNanos(counted, budgetHeld));
  }

  private book(keys: readonly string[], ofWallet: Nanos, ofBudgets: Nanos): void {
    this.available = subtractNanos(this.available, ofWallet);
    for (const key of keys) this.consumed.set(key, addNanos(this.consumed.get(key) ?? ZERO_NANOS, ofBudgets));
  }
}

const MEMBERS: Readonly<Record<string, string | null>> = { key_1: 'mem_1', key_2: 'mem_2', key_3: null };
const PEOPLE = { eu_1: 'eu_1', eu_2: 'eu_2' } as const;
const hour = 3_600_000;
const arbitraryBudget = fc.record({
  amountNanos: fc.nat({ max: 2_000 }),
  scoped: fc.constantFrom<BudgetOptions>(
    {},
    { scope: 'project', scopeId: 'proj_1' },
    { scope: 'project', scopeId: EACH },
    { scope: 'api_key', scopeId: 'key_2' },
    { scope: 'api_key', scopeId: EACH },
    { scope: 'member', scopeId: 'mem_1' },
    { scope: 'member', scopeId: EACH },
    { scope: 'member', scopeId: EACH, projectId: 'proj_1' },
    { scope: 'model', scopeId: 'acme/small' },
    { scope: 'model', scopeId: EACH },
    { scope: 'model', scopeId: 'acme/small', projectId: 'proj_2' },
    { scope: 'end_user', scopeId: PEOPLE.eu_1 },
    { scope: 'end_user', scopeId: EACH },
    { scope: 'end_user', scopeId: EACH, projectId: 'proj_1' },
    { scope: 'end_user', scopeId: PEOPLE.eu_2, projectId: 'proj_1' },
  ),
  period: fc.constantFrom<Budget['period']>('day', 'week', 'month', 'quarter', 'session'),
  override: fc.constantFrom(null, null, { nanos: 100, inMs: hour }, { nanos: 1_500, inMs: -hour }),
  action: fc.constantFrom<Budget['action']>('block', 'warn'),
  warnAtBps: fc.integer({ min: 1, max: 10_000 }),
  enabled: fc.constantFrom(true, true, true, false),
});
const arbitraryCall: fc.Arbitrary<CallOptions> = fc
  .record({
    projectId: fc.constantFrom(null, 'proj_1', 'proj_2'),
    apiKeyId: fc.constantFrom('key_1', 'key_2', 'key_3'),
    model: fc.constantFrom('acme/small', 'acme/large'),
    endUser: fc
      .constantFrom(null, PEOPLE.eu_1, PEOPLE.eu_2)
      .map((id) => (id === null ? null : { id, name: null, namedPerDayMax: 10 })),
    sessionId: fc.constantFrom(null, 'a', 'b'),
    holdMin: fc.nat({ max: 300 }),
    more: fc.nat({ max: 300 }),
    // The part of the organization's own account, in half of the calls.
    own: fc.option(fc.record({ least: fc.nat({ max: 300 }), more: fc.nat({ max: 300 }) })),
  })
  .map(({ more, own, ...call }) => {
    const holdMax = call.holdMin + more;
    if (own === null) return { ...call, holdMax };
    const budgetMin = call.holdMin + own.least;
    return {
      ...{ ...call, holdMax },
      ...{ budgetMin: nanos(budgetMin), budgetMax: nanos(Math.max(holdMax, budgetMin) + own.more) },
    };
  });
const arbitraryStep = fc.oneof(
  fc.array(arbitraryCall, { minLength: 1, maxLength: 12 }).map((calls) => ({ calls })),
  fc.record({ settles: fc.nat(), charge: fc.nat({ max: 400 }), provider: fc.nat({ max: 400 }) }),
);

it('open_hold_parts decides every call of a random series as the pure rule does, in every scope', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(arbitraryBudget, { maxLength: 6 }),
      fc.array(arbitraryStep, { maxLength: 15 }),
      async (drafts, steps) => {
        const organization = await BudgetedOrganization.create(test.database, CREDIT);
        const budgets: Budget[] = [];
        // Ids of keys are unique over all organizations.
        const keys: Record<string, string> = {};
        for (const [name, member] of Object.entries(MEMBERS)) keys[name] = await organization.addKey(member);
        const memberOf = (keyId: string) =>
          Object.entries(MEMBERS).find(([name]) => keys[name] === keyId)?.[1] ?? null;
        for (const { amountNanos, scoped, override, ...options } of drafts) {
          const scopeId = scoped.scopeId && (keys[scoped.scopeId] ?? scoped.scopeId);
          const until = override && new Date(Date.now() + override.inMs);
          budgets.push(
            await organization.addBudget(amountNanos, {
              ...scoped,
              ...(scopeId && { scopeId }),
              ...options,
              override: override && { amount: nanos(override.nanos), until: until!, reason: 'test' },
            }),
          );
        }
        const model = new Model(budgets, memberOf);
        for (const step of steps) {
          if ('calls' in step) {
            const calls = step.calls.map((call) =>
              organization.callOf({ ...call, apiKeyId: keys[call.apiKeyId!]! }),
            );
            const decisions = await Promise.all(calls.map((call) => organization.ledger.openHold(call)));
            expect(decisions).toEqual(calls.map((call) => model.hold(call)));
          } else {
            const { openCalls } = model;
            const requestId = openCalls[step.settles % openCalls.length];
            if (requestId === undefined) continue;
            await organization.settle({ ...organization.callOf(), requestId }, step.charge, step.provider);
            model.settle(requestId, nanos(step.charge), nanos(step.provider));
          }
        }
      },
    ),
    { numRuns: RUNS },
  );
});
