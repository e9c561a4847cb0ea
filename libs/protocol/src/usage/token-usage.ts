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

/** The usage of a call without cached tokens and reasoning. */
export const plainUsage = (inputTokens: number, outputTokens = 0): TokenUsage => ({
  inputTokens,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens,
  reasoningTokens: 0,
});

/** A counter of a usage report. Null when it is not a count. */
export function tokenCountOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** The same for an optional counter: absent is 0. */
export function optionalTokenCountOf(value: unknown): number | null {
  return value === null || value === undefined ? 0 : tokenCountOf(value);
}

interface OpenAiCounters {
  /** All prompt tokens, cache reads and writes included. */
  readonly prompt: unknown;
  readonly output: unknown;
  readonly cached: unknown;
  readonly written: unknown;
  readonly reasoning: unknown;
}

/** The counters of OpenAI's reports. Null when one is missing, negative or not an integer. */
export function usageOfOpenAiCounters(counters: OpenAiCounters): TokenUsage | null {
  const promptTokens = tokenCountOf(counters.prompt);
  const outputTokens = tokenCountOf(counters.output);
  const cached = optionalTokenCountOf(counters.cached);
  const written = optionalTokenCountOf(counters.written);
  const reasoning = optionalTokenCountOf(counters.reasoning);
  if (promptTokens === null || outputTokens === null) return null;
  if (cached === null || written === null || reasoning === null) return null;
  // Details that exceed the total are clamped to it, so that no prompt token is charged twice.
  const cachedInputTokens = Math.min(cached, promptTokens);
  const cacheWriteTokens = Math.min(written, promptTokens - cachedInputTokens);
  return {
    inputTokens: promptTokens - cachedInputTokens - cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: Math.min(reasoning, outputTokens),
  };
}
