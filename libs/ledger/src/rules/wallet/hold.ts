import {
  FEMTO_BPS_PER_NANO,
  outputTokensWithoutLimit,
  type PricePerToken,
  type Prices,
  roundUpToNanos,
  type TokenRates,
  WHOLE_BPS,
} from '@svc/catalog';
import { addNanos, maxNanos, minNanos, nanos, subtractNanos, ZERO_NANOS, type Nanos } from '@svc/kernel';

/** The catalog's prices of an attempt, and who pays them (docs/reference/money.md#prices). */
export interface AttemptPrices extends Prices {
  /** The wallet's part, in basis points of the prices. Absent: all. */
  readonly walletBps?: number;
  /** True where the organization's own account at the provider pays the prices, too. */
  readonly isOwn?: boolean;
}

/** The facts of a call before dispatch. */
export interface HoldFacts {
  /** Upper bound of the prompt's tokens, see {@link promptTokenBound}. */
  readonly promptTokensMax: number;
  /** The client's limit per choice. Null when it set none. */
  readonly outputTokensAsked: number | null;
  readonly modelMaxOutputTokens: number;
  /** Number of answers (`n`). Each one's output is charged, the prompt once. */
  readonly choices: number;
  /** Of every attempt in the plan, because any of them may answer. */
  readonly prices: readonly AttemptPrices[];
}

/** A hold within the range lets the call start. Less than `holdMin` refuses it. */
export interface HoldRange {
  readonly holdMin: Nanos;
  readonly holdMax: Nanos;
  /** The same for what budgets count. Both are absent where it is what the wallet holds. */
  readonly budgetMin?: Nanos;
  readonly budgetMax?: Nanos;
}

/** The call's own bound (null for none), capped at the context window: no provider takes more. */
export function promptTokenBound(callBound: number | null, contextWindow: number): number {
  return Math.min(callBound ?? contextWindow, contextWindow);
}

/**
 * The amount to hold before dispatch: the worst case of the call, or without a limit as much of it as the wallet can
 * pay (docs/reference/money.md#holds). Wallet and budgets each hold the dearest attempt.
 */
export function holdFor(facts: HoldFacts): HoldRange {
  const worst = worstCases(facts);
  const most = outputTokensMax(facts);
  const least =
    facts.outputTokensAsked === null ? outputTokensWithoutLimit(facts.modelMaxOutputTokens) : most;
  const holdMax = dearest(worst, walletCost, most);
  const wallet = { holdMin: least === most ? holdMax : dearest(worst, walletCost, least), holdMax };
  if (!worst.some(isOwnAttempt)) return wallet;
  const budgetMin = dearest(worst, budgetCost, least);
  const budgetMax = dearest(worst, budgetCost, most);
  const isOneNumber = budgetMin === wallet.holdMin && budgetMax === wallet.holdMax;
  return isOneNumber ? wallet : { ...wallet, budgetMin, budgetMax };
}

/**
 * The output limit per choice to send to a provider: the largest that both parts of the hold pay for at every endpoint of the
 * plan, and never above the model's own (docs/reference/inference-and-compatibility.md#output-limit). Null when the hold pays
 * for the call as the client wrote it, so that its limit needs no change.
 */
export function outputLimitCoveredBy(held: Nanos, facts: HoldFacts, budgetHeld: Nanos = held): number | null {
  const most = outputTokensMax(facts);
  const worst = worstCases(facts);
  const walletMost = dearest(worst, walletCost, most);
  const budgetMost = worst.some(isOwnAttempt) ? dearest(worst, budgetCost, most) : walletMost;
  if (held >= walletMost && budgetHeld >= budgetMost) {
    return (facts.outputTokensAsked ?? 0) > most ? most : null;
  }
  let least = BigInt(most);
  for (const { promptFemtos, outputFemtos, walletBps, isOwn } of worst) {
    const covers = (paid: Nanos, bps: number): void => {
      const output = outputFemtos * BigInt(bps);
      if (output === 0n) return;
      const covered = (paid * FEMTO_BPS_PER_NANO - promptFemtos * BigInt(bps)) / output;
      if (covered < least) least = covered;
    };
    covers(held, walletBps);
    // Both costs are rounded up, each by less than a nano-dollar.
    if (isOwn)
      covers(walletBps === 0 ? budgetHeld : subtractNanos(budgetHeld, ONE_NANO), walletBps + WHOLE_BPS);
    else covers(budgetHeld, walletBps);
  }
  return Math.max(0, Number(least));
}

/**
 * The amount that a settled call takes from the wallet. The overrun is the platform's loss
 * (docs/reference/money.md#more-than-the-hold).
 */
export function reservedCharge(
  cost: Nanos,
  held: Nanos,
): { readonly charge: Nanos; readonly overrun: Nanos } {
  return { charge: minNanos(cost, held), overrun: maxNanos(subtractNanos(cost, held), ZERO_NANOS) };
}

const ONE_NANO = nanos(1);

/** At least 1: a messages call may request 0, but a provider of chat completions generates one token. */
function outputTokensMax({ outputTokensAsked, modelMaxOutputTokens }: HoldFacts): number {
  return Math.max(1, Math.min(outputTokensAsked ?? modelMaxOutputTokens, modelMaxOutputTokens));
}

/** The highest price of the prompt at one attempt, and of one output token in every choice. */
interface WorstCase {
  readonly promptFemtos: bigint;
  readonly outputFemtos: bigint;
  readonly walletBps: number;
  readonly isOwn: boolean;
}

const isOwnAttempt = ({ isOwn }: WorstCase): boolean => isOwn;
const walletCost = ({ walletBps }: WorstCase, femtos: bigint): Nanos => roundUpToNanos(femtos, walletBps);

/** The amount that budgets count: the charge and the part of the organization's own account. */
const budgetCost = (worst: WorstCase, femtos: bigint): Nanos =>
  worst.isOwn ? addNanos(walletCost(worst, femtos), roundUpToNanos(femtos)) : walletCost(worst, femtos);

function dearest(
  worst: readonly WorstCase[],
  costOf: (attempt: WorstCase, femtos: bigint) => Nanos,
  outputTokensPerChoice: number,
): Nanos {
  const outputTokens = BigInt(outputTokensPerChoice);
  let most = ZERO_NANOS;
  for (const attempt of worst) {
    most = maxNanos(most, costOf(attempt, attempt.promptFemtos + attempt.outputFemtos * outputTokens));
  }
  return most;
}

function worstCases({ prices, promptTokensMax, choices }: HoldFacts): readonly WorstCase[] {
  const promptTokens = BigInt(promptTokensMax);
  const outputs = BigInt(choices);
  return prices.map((endpoint) => {
    const { longPrompt, walletBps = WHOLE_BPS, isOwn = false } = endpoint;
    let prompt = mostExpensivePrompt(endpoint);
    let { output }: TokenRates = endpoint;
    if (longPrompt !== undefined && promptTokensMax > longPrompt.aboveTokens) {
      prompt = greater(prompt, mostExpensivePrompt(longPrompt));
      output = greater(output, longPrompt.output);
    }
    return { promptFemtos: prompt * promptTokens, outputFemtos: output * outputs, walletBps, isOwn };
  });
}

const mostExpensivePrompt = ({ input, cachedInput, cacheWrite }: TokenRates): PricePerToken =>
  greater(greater(input, cachedInput), cacheWrite);

const greater = <T extends bigint>(a: T, b: T): T => (a > b ? a : b);
