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

export const promptTokensOf = ({ inputTokens, cachedInputTokens, cacheWriteTokens }: TokenUsage): number =>
  inputTokens + cachedInputTokens + cacheWriteTokens;

/** An answer that has text took tokens. Zeros beside it are what a server sends that does not count. */
export const countsAnswer = (usage: TokenUsage, hasText: boolean): boolean =>
  !hasText || (usage.outputTokens > 0 && promptTokensOf(usage) > 0);

/** A counter of a usage report. Null when it is not a count. */
export function tokenCountOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** The same for an optional counter: absent is 0. */
export function optionalTokenCountOf(value: unknown): number | null {
  return value === null || value === undefined ? 0 : tokenCountOf(value);
}

/** The counters of OpenAI's reports. */
export interface OpenAiCounters {
  /** All prompt tokens, cache reads and writes included. */
  readonly prompt: number;
  readonly output: number;
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
}

/** A report as the provider sent it. */
type ReportedCounters = Readonly<Record<keyof OpenAiCounters, unknown>>;

/** Null when a counter is missing, negative or not an integer. */
export function openAiCounters(reported: ReportedCounters): OpenAiCounters | null {
  const prompt = tokenCountOf(reported.prompt);
  const output = tokenCountOf(reported.output);
  const cached = optionalTokenCountOf(reported.cached);
  const written = optionalTokenCountOf(reported.written);
  const reasoning = optionalTokenCountOf(reported.reasoning);
  if (prompt === null || output === null) return null;
  if (cached === null || written === null || reasoning === null) return null;
  return { prompt, output, cached, written, reasoning };
}

/** The greater of each counter. */
export const greaterCounters = (one: OpenAiCounters, other: OpenAiCounters): OpenAiCounters => ({
  prompt: Math.max(one.prompt, other.prompt),
  output: Math.max(one.output, other.output),
  cached: Math.max(one.cached, other.cached),
  written: Math.max(one.written, other.written),
  reasoning: Math.max(one.reasoning, other.reasoning),
});

export function usageOfCounters({ prompt, output, cached, written, reasoning }: OpenAiCounters): TokenUsage {
  // Details that exceed the total are clamped to it, so that no prompt token is charged twice.
  const cachedInputTokens = Math.min(cached, prompt);
  const cacheWriteTokens = Math.min(written, prompt - cachedInputTokens);
  return {
    inputTokens: prompt - cachedInputTokens - cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: output,
    reasoningTokens: Math.min(reasoning, output),
  };
}
