import { outputTokensWithoutLimit } from '../tokens/output-limit';

/** A token of ordinary text has about four bytes in the tokenizers of the large providers. */
const BYTES_PER_TOKEN = 4;

interface TokenEstimateFacts {
  readonly promptBytes: number;
  /** Null when the model is not known: the rate limits are checked before the plan. */
  readonly contextWindow: number | null;
  /** The client's limit per choice. Null when it set none. */
  readonly outputTokensAsked: number | null;
  readonly modelMaxOutputTokens: number | null;
  readonly choices: number;
}

/** The demand on the token buckets at admission (docs/reference/limits-and-budgets.md#the-token-estimate). */
export function estimateTokens(facts: TokenEstimateFacts): number {
  const { promptBytes, contextWindow, outputTokensAsked, modelMaxOutputTokens, choices } = facts;
  const promptTokens = Math.min(Math.ceil(promptBytes / BYTES_PER_TOKEN), contextWindow ?? Infinity);
  return promptTokens + (outputTokensAsked ?? outputTokensWithoutLimit(modelMaxOutputTokens)) * choices;
}
