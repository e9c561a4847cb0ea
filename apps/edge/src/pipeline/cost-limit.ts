import { attemptPrices, type HoldFacts, holdFor, type HoldRange, type OrganizationPrices } from '@svc/ledger';
import { minNanos, type Nanos } from '@svc/kernel';
import {
  denialText,
  holdersOf,
  type PlannedAttempt,
  type Policy,
  PolicyRefusal,
  type RoutePlan,
} from '@svc/policy';

/** A plan with what is held for it. */
export interface PricedPlan {
  readonly plan: RoutePlan;
  readonly holdFacts: HoldFacts;
  readonly range: HoldRange;
}

type FactsOfCall = Omit<HoldFacts, 'prices'>;

/** The bound of a call's cost, and who pays. */
export interface CostTerms {
  readonly prices: OrganizationPrices;
  /** The most that wallet and own account pay together; null for no limit. */
  readonly maxCost: Nanos | null;
}

/**
 * The plan without the attempts whose least hold exceeds what a call may cost, and a hold of at most that.
 * @returns null where no attempt is left. Without a limit the plan stays as it is.
 */
export function pricedWithin(
  plan: RoutePlan,
  facts: FactsOfCall,
  { prices, maxCost }: CostTerms,
): PricedPlan | null {
  const pricesOf = ({ endpoint, credential }: PlannedAttempt) =>
    attemptPrices(endpoint.prices, prices, credential);
  const priced = (within: RoutePlan): PricedPlan => {
    const holdFacts = { ...facts, prices: within.attempts.map(pricesOf) };
    return { plan: within, holdFacts, range: holdFor(holdFacts) };
  };
  if (maxCost === null) return priced(plan);
  const left = planOf(plan, (attempt) => {
    const { holdMin, budgetMin = holdMin } = holdFor({ ...facts, prices: [pricesOf(attempt)] });
    return budgetMin <= maxCost;
  });
  if (left === null) return null;
  const { range, ...rest } = priced(left);
  const { budgetMax } = range;
  const holdMax = minNanos(range.holdMax, maxCost);
  const limited = budgetMax === undefined ? {} : { budgetMax: minNanos(budgetMax, maxCost) };
  return { ...rest, range: { ...range, holdMax, ...limited } };
}

/**
 * The plan's attempts on the organization's own credentials, which its wallet may be able to pay where it cannot pay the platform's.
 * @returns null where there are none, or no others.
 */
export function ownPart(plan: RoutePlan): RoutePlan | null {
  const own = planOf(plan, ({ credential }) => credential === 'own');
  return own?.attempts.length === plan.attempts.length ? null : own;
}

/** Null where no attempt is left. */
function planOf(plan: RoutePlan, isLeft: (attempt: PlannedAttempt) => boolean): RoutePlan | null {
  const [first, ...others] = plan.attempts.filter(isLeft);
  return first === undefined ? null : { ...plan, attempts: [first, ...others] };
}

/** The refusal of a call that may cost more than its policy allows, at each endpoint of its plan. */
export function costRefusal(policy: Policy): PolicyRefusal {
  const denials = holdersOf(policy, 'max_cost_nanos', (own) => own.maxCost);
  const message = `${denialText(denials)} allows a call to cost ${String(policy.maxCost)} nanos at most, and this one may cost more. Nothing was sent or charged.`;
  return new PolicyRefusal('budgetExceeded', message, denials, { param: 'budget' });
}
