/** Output that a call without a limit is taken to need at least (contract.md section 5, Estimate). */
export const OUTPUT_TOKENS_WITHOUT_LIMIT = 4096;

/** The output a call without a limit is estimated at; the model may not be known yet. */
export function outputTokensWithoutLimit(modelMaxOutputTokens: number | null): number {
  return Math.min(modelMaxOutputTokens ?? OUTPUT_TOKENS_WITHOUT_LIMIT, OUTPUT_TOKENS_WITHOUT_LIMIT);
}
