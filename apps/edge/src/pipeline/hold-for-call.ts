import { countedPromptBound } from '@svc/catalog';
import {
  type HoldDecision,
  type HoldFacts,
  type HoldRange,
  type OrganizationPrices,
  promptTokenBound,
} from '@svc/ledger';
import { type HoldRequest, type LedgerStore } from '@svc/ledger/store';
import { type Policy, type RoutePlan } from '@svc/policy';
import { type ParsedCall } from '@svc/protocol';
import { type PromptCounter } from '../counting/prompt-counter';
import { costRefusal, type CostTerms, ownPart, type PricedPlan, pricedWithin } from './cost-limit';

/** Below this a count changes the hold by a fraction of a cent: not worth a tokenizer and a second hold. */
const COUNTED_BYTES_MIN = 1024;

interface HoldSteps {
  readonly ledger: LedgerStore;
  readonly promptCounter: PromptCounter;
}

/** A call with its plan, and the bound of its prompt that costs nothing to know. */
interface HeldCall {
  readonly booking: Omit<HoldRequest, keyof HoldRange>;
  readonly parsed: ParsedCall;
  readonly plan: RoutePlan;
  readonly policy: Policy;
  readonly prices: OrganizationPrices;
  readonly facts: Omit<HoldFacts, 'prices'>;
  readonly promptWindow: number;
}

interface HoldForCall {
  readonly decision: HoldDecision;
  /** Without the attempts that would cost more than the policy allows. */
  readonly plan: RoutePlan;
  /** The facts from which the hold was calculated. */
  readonly holdFacts: HoldFacts;
}

/**
 * Steps 7 and 8 of a call: opens a hold by the cheap bound of its prompt, one token a byte. If the wallet or a budget
 * cannot pay that, it tries again with a bound from the counted tokens (docs/reference/money.md#holds). It does not count
 * when that would change little, or when too many prompts of the organization wait to be counted. `max_cost_nanos` of the
 * policy is judged first, by counted tokens where the cheap bound would leave out an attempt. A wallet that cannot pay the
 * platform's attempts of a plan pays those on the organization's own credentials, if it can.
 * @throws PolicyRefusal `budgetExceeded` where every attempt may cost more than the policy allows
 */
export async function holdForCall(steps: HoldSteps, call: HeldCall): Promise<HoldForCall> {
  const { plan, policy, facts, prices } = call;
  const terms = { prices, maxCost: policy.maxCost };
  let priced = pricedWithin(plan, facts, terms);
  let isCounted = false;
  if (
    terms.maxCost !== null &&
    priced?.plan.attempts.length !== plan.attempts.length &&
    isCountable(steps, call, 0)
  ) {
    isCounted = true;
    priced = pricedWithin(plan, await countedFacts(steps, call), terms);
  }
  if (priced === null) throw costRefusal(policy);
  const held = await openHold(steps, call, priced);
  if (held.decision.refusedBy === null) return held;
  const heldOwn = await holdOwnPart(steps, call, held, terms);
  if (heldOwn.decision.refusedBy === null || isCounted || !isCountable(steps, call, COUNTED_BYTES_MIN)) {
    return heldOwn;
  }
  const counted = pricedWithin(plan, await countedFacts(steps, call), terms);
  return holdOwnPart(steps, call, await openHold(steps, call, counted ?? priced), terms);
}

function openHold(
  { ledger }: HoldSteps,
  { booking }: HeldCall,
  { plan, holdFacts, range }: PricedPlan,
): Promise<HoldForCall> {
  return ledger.openHold({ ...booking, ...range }).then((decision) => ({ decision, plan, holdFacts }));
}

/** In a second round trip without the platform's attempts, where the wallet alone refused the whole plan. */
async function holdOwnPart(
  steps: HoldSteps,
  call: HeldCall,
  held: HoldForCall,
  terms: CostTerms,
): Promise<HoldForCall> {
  const own = held.decision.refusedBy === 'wallet' ? ownPart(held.plan) : null;
  const left = own && pricedWithin(own, held.holdFacts, terms);
  return left === null ? held : openHold(steps, call, left);
}

/** Null means that the prompt has media, which no tokenizer counts. Less than its bytes is a count already. */
function isCountable({ promptCounter }: HoldSteps, { parsed, booking }: HeldCall, bytesMin: number): boolean {
  const { promptBytes, promptTokensMax } = parsed;
  return (
    promptTokensMax !== null &&
    promptTokensMax >= promptBytes &&
    promptBytes >= bytesMin &&
    promptCounter.hasSlotFor(booking.organizationId)
  );
}

async function countedFacts(
  { promptCounter }: HoldSteps,
  { booking, parsed, facts, promptWindow }: HeldCall,
): Promise<HeldCall['facts']> {
  const { promptBytes, promptTokensMax } = parsed;
  const counted = await promptCounter.count(booking.organizationId, parsed, promptWindow);
  const bound = countedPromptBound(counted, { promptTokensMax: promptTokensMax ?? promptBytes, promptBytes });
  return { ...facts, promptTokensMax: promptTokenBound(bound, promptWindow) };
}
