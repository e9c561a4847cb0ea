/** The usage that a provider reports, each token counted once (docs/reference/money.md#charges). */
export interface TokenUsage {
  /** Prompt tokens that were neither read from a cache nor written to one. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
}

/** A counter of a usage report. Null when it is not a count. */
export function tokenCountOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** The same for an optional counter: absent is 0. */
export function optionalTokenCountOf(value: unknown): number | null {
  return value === null || value === undefined ? 0 : tokenCountOf(value);
}
