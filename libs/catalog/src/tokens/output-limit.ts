/** The assumed minimum output of a call without a limit (docs/reference/money.md#holds). */
const OUTPUT_TOKENS_WITHOUT_LIMIT = 4096;

/** The estimated output of a call without a limit. The model may not be known yet. */
export function outputTokensWithoutLimit(modelMaxOutputTokens: number | null): number {
  return Math.min(modelMaxOutputTokens ?? OUTPUT_TOKENS_WITHOUT_LIMIT, OUTPUT_TOKENS_WITHOUT_LIMIT);
}
