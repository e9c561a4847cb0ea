/** What a provider reports to have used, each token counted once (contract.md section 10). */
export interface TokenUsage {
  /** Prompt tokens that were neither read from a cache nor written to one. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
}

/** A counter of a usage report; null when it is no count. */
export function tokenCountOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** The same for a counter that a report may leave out: absent is none. */
export function optionalTokenCountOf(value: unknown): number | null {
  return value === null || value === undefined ? 0 : tokenCountOf(value);
}
