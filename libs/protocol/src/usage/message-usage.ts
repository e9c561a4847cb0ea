import { isRecord, type JsonRecord } from '../json/byte-text';
import { optionalTokenCountOf, tokenCountOf, type TokenUsage } from './token-usage';

/**
 * Reads the `usage` of a message. Its `input_tokens` exclude cache reads and writes. Null when a counter is missing,
 * negative or not an integer.
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
 * Merges the report of a later event of the same stream. Its counters are totals of the whole message, so each one
 * replaces the earlier one.
 */
export function laterMessageUsage(earlier: JsonRecord, later: unknown): JsonRecord {
  if (!isRecord(later)) return earlier;
  const carried = Object.entries(later).filter(([, value]) => value !== null);
  return { ...earlier, ...Object.fromEntries(carried) };
}
