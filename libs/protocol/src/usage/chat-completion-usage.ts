import { isRecord } from '../json/byte-text';
import { type TokenUsage, usageOfOpenAiCounters } from './token-usage';

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
  return usageOfOpenAiCounters({
    prompt: usage['prompt_tokens'],
    output: usage['completion_tokens'],
    cached: promptDetails['cached_tokens'],
    written: promptDetails['cache_write_tokens'],
    reasoning: outputDetails['reasoning_tokens'],
  });
}
