import { isRecord, type JsonRecord } from '../json/byte-text';
import { optionalTokenCountOf, tokenCountOf, type TokenUsage } from './token-usage';

/**
 * Iterations of a message whose tokens its totals leave out: requests that the provider makes of its own accord to
 * shorten the context or to ask an advisor. They are billed all the same.
 */
const LEFT_OUT_OF_TOTALS: ReadonlySet<unknown> = new Set(['compaction', 'advisor_message']);

/**
 * Reads the `usage` of a message. Its `input_tokens` exclude cache reads and writes. Null when a counter is missing,
 * negative or not an integer.
 */
export function usageOfMessage(usage: unknown): TokenUsage | null {
  const totals = usageOfIteration(usage);
  if (totals === null || !isRecord(usage) || !Array.isArray(usage['iterations'])) return totals;
  let sum = totals;
  for (const iteration of usage['iterations']) {
    if (!isRecord(iteration) || !LEFT_OUT_OF_TOTALS.has(iteration['type'])) continue;
    const more = usageOfIteration(iteration);
    if (more === null) return null;
    sum = addUsage(sum, more);
  }
  return sum;
}

function usageOfIteration(usage: unknown): TokenUsage | null {
  if (!isRecord(usage)) return null;
  const details = isRecord(usage['output_tokens_details']) ? usage['output_tokens_details'] : {};
  const inputTokens = tokenCountOf(usage['input_tokens']);
  const outputTokens = tokenCountOf(usage['output_tokens']);
  const cachedInputTokens = optionalTokenCountOf(usage['cache_read_input_tokens']);
  const cacheWriteTokens = optionalTokenCountOf(usage['cache_creation_input_tokens']);
  const reasoning = optionalTokenCountOf(details['thinking_tokens']);
  if (inputTokens === null || outputTokens === null) return null;
  if (cachedInputTokens === null || cacheWriteTokens === null || reasoning === null) return null;
  return {
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: Math.min(reasoning, outputTokens),
  };
}

const addUsage = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
});

/**
 * Merges the report of a later event of the same stream. Its counters are totals of the whole message, so each one
 * replaces the earlier one.
 */
export function laterMessageUsage(earlier: JsonRecord, later: unknown): JsonRecord {
  if (!isRecord(later)) return earlier;
  const carried = Object.entries(later).filter(([, value]) => value !== null);
  return { ...earlier, ...Object.fromEntries(carried) };
}
