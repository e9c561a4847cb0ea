import { estimatedPromptTokens, outputTokensWithoutLimit } from '@svc/catalog';

interface TokenEstimateFacts {
  readonly promptBytes: number;
  /** As `ParsedCall` has it. */
  readonly promptTokensMax: number | null;
  /** The most tokens that the model takes. Null when it is not known: the rate limits are checked before the plan. */
  readonly promptWindow: number | null;
  /** The client's limit per choice. Null when it set none. */
  readonly outputTokensAsked: number | null;
  readonly modelMaxOutputTokens: number | null;
  readonly choices: number;
}

/** The demand on the token buckets at admission (docs/reference/limits-and-budgets.md#the-token-estimate). */
export function estimateTokens(facts: TokenEstimateFacts): number {
  const { promptWindow, outputTokensAsked, modelMaxOutputTokens, choices } = facts;
  const promptTokens = Math.min(estimatedPromptTokens(facts), promptWindow ?? Infinity);
  return promptTokens + (outputTokensAsked ?? outputTokensWithoutLimit(modelMaxOutputTokens)) * choices;
}
