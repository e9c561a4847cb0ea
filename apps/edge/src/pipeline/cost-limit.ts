import { type HoldFacts, holdFor, type HoldRange } from '@svc/ledger';
import { minNanos, type Nanos } from '@svc/kernel';
import { denialText, holdersOf, type Policy, PolicyRefusal, type RoutePlan } from '@svc/policy';

/** A plan with what is held for it. */
interface PricedPlan {
  readonly plan: RoutePlan;
  readonly holdFacts: HoldFacts;
  readonly range: HoldRange;
}

type FactsOfCall = Omit<HoldFacts, 'prices'>;

/**
 * The plan without the attempts whose least hold exceeds what a call may cost, and a hold of at most that.
 * @param maxCost null for no limit: then the plan stays as it is.
 * @returns null where no attempt is left.
 */
export function pricedWithin(plan: RoutePlan, facts: FactsOfCall, maxCost: Nanos | null): PricedPlan | null {
  const priced = (within: RoutePlan): PricedPlan => {
    const holdFacts = { ...facts, prices: within.attempts.map(({ endpoint }) => endpoint.prices) };
    return { plan: within, holdFacts, range: holdFor(holdFacts) };
  };
  if (maxCost === null) return priced(plan);
  const [first, ...others] = plan.attempts.filter(
    ({ endpoint }) => holdFor({ ...facts, prices: [endpoint.prices] }).holdMin <= maxCost,
  );
  if (first === undefined) return null;
  const left = priced({ ...plan, attempts: [first, ...others] });
  return { ...left, range: { ...left.range, holdMax: minNanos(left.range.holdMax, maxCost) } };
}

/** The refusal of a call that may cost more than its policy allows, at each endpoint of its plan. */
export function costRefusal(policy: Policy): PolicyRefusal {
  const denials = holdersOf(policy, 'max_cost_nanos', (own) => own.maxCost);
  const message = `${denialText(denials)} allows a call to cost ${String(policy.maxCost)} nanos at most, and this one may cost more. Nothing was sent or charged.`;
  return new PolicyRefusal('budgetExceeded', message, denials, { param: 'budget' });
}
