import { isRecord, type JsonRecord } from '../json/byte-text';
import { optionalTokenCountOf, tokenCountOf, type TokenUsage } from './token-usage';

/**
 * Reads the `usage` of a message. Its `input_tokens` excludes what was read from or written to the cache.
 * Null when it is no usable report: a counter that is missing, negative or not an integer.
 */
export function usageOfMessage(usage: unknown): TokenUsage | null {
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

/**
 * The report after a later event of the same stream: its counters are totals of the whole message, so each one
 * that it carries replaces the earlier one.
 */
export function laterMessageUsage(earlier: JsonRecord, later: unknown): JsonRecord {
  if (!isRecord(later)) return earlier;
  const carried = Object.entries(later).filter(([, value]) => value !== null);
  return { ...earlier, ...Object.fromEntries(carried) };
}
