import { maxNanos, minNanos, subtractNanos, ZERO_NANOS, type Nanos } from '@svc/kernel';

import { outputTokensWithoutLimit } from '../output-limit';
import { roundUpToNanos } from '../pricing/cost-of';
import { FEMTOS_PER_NANO, type PricePerToken, type Prices, type TokenRates } from '../pricing/prices';

/** What is known of a call before any provider saw it. */
export interface HoldFacts {
  /** No prompt of this call can have more tokens: see {@link promptTokenBound}. */
  readonly promptTokensMax: number;
  /** The limit the client set, per choice; null when it set none. */
  readonly outputTokensAsked: number | null;
  readonly modelMaxOutputTokens: number;
  /** Answers asked for (`n`): output is paid for each, the prompt once. */
  readonly choices: number;
  /** Of every endpoint in the plan: any of them may be the one that answers. */
  readonly prices: readonly Prices[];
}

/** A hold between the two lets the call start; less refuses it. */
export interface HoldRange {
  readonly holdMin: Nanos;
  readonly holdMax: Nanos;
}

/** What the call itself bounds (null: nothing does), and in any case the context window: no provider takes more. */
export function promptTokenBound(callBound: number | null, contextWindow: number): number {
  return Math.min(callBound ?? contextWindow, contextWindow);
}

/**
 * What to reserve before dispatch: the worst case of the call, or where the client set no limit as much of it
 * as the wallet can pay (contract.md section 5, Estimate).
 */
export function holdFor(facts: HoldFacts): HoldRange {
  const worst = worstCases(facts);
  const holdMax = worstCost(worst, outputTokensMax(facts));
  if (facts.outputTokensAsked !== null) return { holdMin: holdMax, holdMax };
  return { holdMin: worstCost(worst, outputTokensWithoutLimit(facts.modelMaxOutputTokens)), holdMax };
}

/**
 * The largest output limit, per choice, that the hold pays for at every endpoint of the plan; null when it pays for
 * all the call can produce, so that the provider need not be told a limit the client didn't set.
 */
export function outputLimitCoveredBy(held: Nanos, facts: HoldFacts): number | null {
  const most = outputTokensMax(facts);
  const worst = worstCases(facts);
  if (held >= worstCost(worst, most)) return null;
  const covered = worst
    .filter(({ outputFemtos }) => outputFemtos > 0n)
    .map(({ promptFemtos, outputFemtos }) => (held * FEMTOS_PER_NANO - promptFemtos) / outputFemtos);
  const least = covered.reduce((a, b) => (a < b ? a : b), BigInt(most));
  return Math.max(0, Number(least));
}

/** What a settled call takes from the wallet; the rest is the platform's loss (contract.md section 11). */
export function reservedCharge(
  cost: Nanos,
  held: Nanos,
): { readonly charge: Nanos; readonly overrun: Nanos } {
  return { charge: minNanos(cost, held), overrun: maxNanos(subtractNanos(cost, held), ZERO_NANOS) };
}

function outputTokensMax({ outputTokensAsked, modelMaxOutputTokens }: HoldFacts): number {
  return Math.min(outputTokensAsked ?? modelMaxOutputTokens, modelMaxOutputTokens);
}

/** The dearest that the prompt can be at one endpoint, and the dearest one output token in every choice. */
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
    let prompt = dearestPrompt(endpoint);
    let { output }: TokenRates = endpoint;
    if (longPrompt !== undefined && promptTokensMax > longPrompt.aboveTokens) {
      prompt = greater(prompt, dearestPrompt(longPrompt));
      output = greater(output, longPrompt.output);
    }
    return { promptFemtos: prompt * promptTokens, outputFemtos: output * outputs };
  });
}

const dearestPrompt = ({ input, cachedInput, cacheWrite }: TokenRates): PricePerToken =>
  greater(greater(input, cachedInput), cacheWrite);

const greater = <T extends bigint>(a: T, b: T): T => (a > b ? a : b);
