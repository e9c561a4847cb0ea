import { isRecord } from '../json/byte-text';
import { optionalTokenCountOf, tokenCountOf, type TokenUsage } from './token-usage';

/**
 * Reads the `usage` of a chat completion. Its `prompt_tokens` include cache reads and writes. Null when a counter is
 * missing, negative or not an integer.
 */
export function usageOfChatCompletion(usage: unknown): TokenUsage | null {
  if (!isRecord(usage)) return null;
  const promptDetails = isRecord(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {};
  const outputDetails = isRecord(usage['completion_tokens_details'])
    ? usage['completion_tokens_details']
    : {};
  const promptTokens = tokenCountOf(usage['prompt_tokens']);
  const outputTokens = tokenCountOf(usage['completion_tokens']);
  const cached = optionalTokenCountOf(promptDetails['cached_tokens']);
  const written = optionalTokenCountOf(promptDetails['cache_write_tokens']);
  const reasoning = optionalTokenCountOf(outputDetails['reasoning_tokens']);
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
