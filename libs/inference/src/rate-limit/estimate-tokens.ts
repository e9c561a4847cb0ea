import { outputTokensWithoutLimit } from '../output-limit';

/** A token of everyday text is about four bytes in the tokenizers of the large providers. */
const BYTES_PER_TOKEN = 4;

export interface TokenEstimateFacts {
  readonly promptBytes: number;
  /** null when the model is not known: the buckets are asked before the plan. */
  readonly contextWindow: number | null;
  /** The limit the client set, per choice; null when it set none. */
  readonly outputTokensAsked: number | null;
  readonly modelMaxOutputTokens: number | null;
  readonly choices: number;
}

/** What the token buckets are debited at admission (interface.md, Limits; contract.md section 5). */
export function estimateTokens(facts: TokenEstimateFacts): number {
  const { promptBytes, contextWindow, outputTokensAsked, modelMaxOutputTokens, choices } = facts;
  const promptTokens = Math.min(Math.ceil(promptBytes / BYTES_PER_TOKEN), contextWindow ?? Infinity);
  return promptTokens + (outputTokensAsked ?? outputTokensWithoutLimit(modelMaxOutputTokens)) * choices;
}
