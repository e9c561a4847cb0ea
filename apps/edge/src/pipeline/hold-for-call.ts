import {
  countedPromptBound,
  holdFor,
  promptTokenBound,
  type HoldDecision,
  type HoldFacts,
  type HoldRange,
} from '@svc/inference';
import { type HoldRequest, type LedgerStore } from '@svc/persistence';
import { type ParsedCall } from '@svc/protocol';
import { type PromptCounter } from '../counting/prompt-counter';

/** Below this a count changes the hold by a fraction of a cent: not worth a tokenizer, nor a second look at an empty wallet. */
const COUNTED_BYTES_MIN = 1024;

export interface HoldSteps {
  readonly ledger: LedgerStore;
  readonly promptCounter: PromptCounter;
}

export interface HoldForCall {
  readonly decision: HoldDecision;
  /** What the hold was reckoned on. */
  readonly holdFacts: HoldFacts;
}

/**
 * Steps 7 and 8 of a call: a hold by the cheap bound of its prompt, one token a byte; where the wallet or a budget
 * can't pay that, once more by a bound from its counted tokens (contract.md section 5, Estimate).
 * A refusal stands where a count could change little, or too many prompts of the organization wait for theirs.
 */
export async function holdForCall(
  { ledger, promptCounter }: HoldSteps,
  booking: Omit<HoldRequest, keyof HoldRange>,
  call: ParsedCall,
  cheap: HoldFacts,
  contextWindow: number,
): Promise<HoldForCall> {
  const decision = await ledger.openHold({ ...booking, ...holdFor(cheap) });
  const { promptBytes, promptTokensMax } = call;
  // Without a bound by the bytes there is media in it, which no tokenizer counts.
  const isCountable =
    promptTokensMax !== null &&
    promptBytes >= COUNTED_BYTES_MIN &&
    promptCounter.hasRoomFor(booking.organizationId);
  if (decision.refusedBy === null || !isCountable) return { decision, holdFacts: cheap };
  const counted = await promptCounter.count(booking.organizationId, call.bodyBytes, contextWindow);
  const bound = countedPromptBound(counted, { promptTokensMax, promptBytes });
  const tight = { ...cheap, promptTokensMax: promptTokenBound(bound, contextWindow) };
  return { decision: await ledger.openHold({ ...booking, ...holdFor(tight) }), holdFacts: tight };
}
