import {
  FEMTOS_PER_NANO,
  outputTokensWithoutLimit,
  type PricePerToken,
  type Prices,
  roundUpToNanos,
  type TokenRates,
} from '@svc/catalog';
import { maxNanos, minNanos, subtractNanos, ZERO_NANOS, type Nanos } from '@svc/kernel';

/** The facts of a call before dispatch. */
export interface HoldFacts {
  /** Upper bound of the prompt's tokens, see {@link promptTokenBound}. */
  readonly promptTokensMax: number;
  /** The client's limit per choice. Null when it set none. */
  readonly outputTokensAsked: number | null;
  readonly modelMaxOutputTokens: number;
  /** Number of answers (`n`). Each one's output is charged, the prompt once. */
  readonly choices: number;
  /** Of every endpoint in the plan, because any of them may answer. */
  readonly prices: readonly Prices[];
}

/** A hold within the range lets the call start. Less than `holdMin` refuses it. */
export interface HoldRange {
  readonly holdMin: Nanos;
  readonly holdMax: Nanos;
}

/** The call's own bound (null for none), capped at the context window: no provider takes more. */
export function promptTokenBound(callBound: number | null, contextWindow: number): number {
  return Math.min(callBound ?? contextWindow, contextWindow);
}

/**
 * The amount to hold before dispatch: the worst case of the call, or without a limit as much of it as the wallet can
 * pay (docs/reference/money.md#holds).
 */
export function holdFor(facts: HoldFacts): HoldRange {
  const worst = worstCases(facts);
  const holdMax = worstCost(worst, outputTokensMax(facts));
  if (facts.outputTokensAsked !== null) return { holdMin: holdMax, holdMax };
  return { holdMin: worstCost(worst, outputTokensWithoutLimit(facts.modelMaxOutputTokens)), holdMax };
}

/**
 * The output limit per choice to send to a provider: the largest that the hold pays for at every endpoint of the plan,
 * and never above the model's own (docs/reference/inference-and-compatibility.md#output-limit). Null when the hold pays
 * for the call as the client wrote it, so that its limit needs no change.
 */
export function outputLimitCoveredBy(held: Nanos, facts: HoldFacts): number | null {
  const most = outputTokensMax(facts);
  const worst = worstCases(facts);
  if (held >= worstCost(worst, most)) return (facts.outputTokensAsked ?? 0) > most ? most : null;
  const covered = worst
    .filter(({ outputFemtos }) => outputFemtos > 0n)
    .map(({ promptFemtos, outputFemtos }) => (held * FEMTOS_PER_NANO - promptFemtos) / outputFemtos);
  const least = covered.reduce((a, b) => (a < b ? a : b), BigInt(most));
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

/** At least 1: a messages call may request 0, but a provider of chat completions generates one token. */
function outputTokensMax({ outputTokensAsked, modelMaxOutputTokens }: HoldFacts): number {
  return Math.max(1, Math.min(outputTokensAsked ?? modelMaxOutputTokens, modelMaxOutputTokens));
}

/** The highest cost of the prompt at one endpoint, and of one output token in every choice. */
interface WorstCase {
  readonly promptFemtos: bigint;
  readonly outputFemtos: bigint;
}

function worstCost(worst: readonly WorstCase[], outputTokensPerChoice: number): Nanos {
  const outputTokens = BigInt(outputTokensPerChoice);
  let femtos = 0n;
  for (const { promptFemtos, outputFemtos } of worst) {
    femtos = greater(femtos, promptFemtos + outputFemtos * outputTokens);
  }
  return roundUpToNanos(femtos);
}

function worstCases({ prices, promptTokensMax, choices }: HoldFacts): readonly WorstCase[] {
  const promptTokens = BigInt(promptTokensMax);
  const outputs = BigInt(choices);
  return prices.map((endpoint) => {
    const { longPrompt } = endpoint;
    let prompt = mostExpensivePrompt(endpoint);
    let { output }: TokenRates = endpoint;
    if (longPrompt !== undefined && promptTokensMax > longPrompt.aboveTokens) {
      prompt = greater(prompt, mostExpensivePrompt(longPrompt));
      output = greater(output, longPrompt.output);
    }
    return { promptFemtos: prompt * promptTokens, outputFemtos: output * outputs };
  });
}

const mostExpensivePrompt = ({ input, cachedInput, cacheWrite }: TokenRates): PricePerToken =>
  greater(greater(input, cachedInput), cacheWrite);

const greater = <T extends bigint>(a: T, b: T): T => (a > b ? a : b);
