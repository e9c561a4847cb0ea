import { countedPromptBound } from '@svc/catalog';
import { type HoldDecision, type HoldFacts, type HoldRange, promptTokenBound } from '@svc/ledger';
import { type HoldRequest, type LedgerStore } from '@svc/ledger/store';
import { type Policy, type RoutePlan } from '@svc/policy';
import { type ParsedCall } from '@svc/protocol';
import { type PromptCounter } from '../counting/prompt-counter';
import { costRefusal, pricedWithin } from './cost-limit';

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
 * policy is judged first, by counted tokens where the cheap bound would leave out an attempt.
 * @throws PolicyRefusal `budgetExceeded` where every attempt may cost more than the policy allows
 */
export async function holdForCall(steps: HoldSteps, call: HeldCall): Promise<HoldForCall> {
  const { booking, plan, policy, facts } = call;
  const { maxCost } = policy;
  let priced = pricedWithin(plan, facts, maxCost);
  let isCounted = false;
  if (
    maxCost !== null &&
    priced?.plan.attempts.length !== plan.attempts.length &&
    isCountable(steps, call, 0)
  ) {
    isCounted = true;
    priced = pricedWithin(plan, await countedFacts(steps, call), maxCost);
  }
  if (priced === null) throw costRefusal(policy);
  const decision = await steps.ledger.openHold({ ...booking, ...priced.range });
  if (decision.refusedBy === null || isCounted || !isCountable(steps, call, COUNTED_BYTES_MIN)) {
    return { decision, plan: priced.plan, holdFacts: priced.holdFacts };
  }
  const tight = pricedWithin(plan, await countedFacts(steps, call), maxCost) ?? priced;
  return {
    decision: await steps.ledger.openHold({ ...booking, ...tight.range }),
    plan: tight.plan,
    holdFacts: tight.holdFacts,
  };
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
