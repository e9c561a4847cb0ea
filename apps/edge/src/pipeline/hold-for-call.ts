import { countedPromptBound } from '@svc/catalog';
import { type HoldDecision, type HoldFacts, holdFor, type HoldRange, promptTokenBound } from '@svc/ledger';
import { type HoldRequest, type LedgerStore } from '@svc/ledger/store';
import { type ParsedCall } from '@svc/protocol';
import { type PromptCounter } from '../counting/prompt-counter';

/** Below this a count changes the hold by a fraction of a cent: not worth a tokenizer and a second hold. */
const COUNTED_BYTES_MIN = 1024;

interface HoldSteps {
  readonly ledger: LedgerStore;
  readonly promptCounter: PromptCounter;
}

interface HoldForCall {
  readonly decision: HoldDecision;
  /** The facts from which the hold was calculated. */
  readonly holdFacts: HoldFacts;
}

/**
 * Steps 7 and 8 of a call: opens a hold by the cheap bound of its prompt, one token a byte. If the wallet or a budget
 * cannot pay that, it tries again with a bound from the counted tokens (docs/reference/money.md#holds). It does not count
 * when that would change little, or when too many prompts of the organization wait to be counted.
 */
export async function holdForCall(
  { ledger, promptCounter }: HoldSteps,
  booking: Omit<HoldRequest, keyof HoldRange>,
  call: ParsedCall,
  cheap: HoldFacts,
  promptWindow: number,
): Promise<HoldForCall> {
  const decision = await ledger.openHold({ ...booking, ...holdFor(cheap) });
  const { promptBytes, promptTokensMax } = call;
  // Null means that the prompt has media, which no tokenizer counts. Less than its bytes is a count already.
  const isCountable =
    promptTokensMax !== null &&
    promptTokensMax >= promptBytes &&
    promptBytes >= COUNTED_BYTES_MIN &&
    promptCounter.hasSlotFor(booking.organizationId);
  if (decision.refusedBy === null || !isCountable) return { decision, holdFacts: cheap };
  const counted = await promptCounter.count(booking.organizationId, call, promptWindow);
  const bound = countedPromptBound(counted, { promptTokensMax, promptBytes });
  const tight = { ...cheap, promptTokensMax: promptTokenBound(bound, promptWindow) };
  return { decision: await ledger.openHold({ ...booking, ...holdFor(tight) }), holdFacts: tight };
}
