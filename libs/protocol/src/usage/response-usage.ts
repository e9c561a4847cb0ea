import { isRecord } from '../json/byte-text';
import { type TokenUsage, usageOfOpenAiCounters } from './token-usage';

/**
 * Reads the `usage` of a response. Its `input_tokens` include cache reads and writes. Null when a counter is missing,
 * negative or not an integer.
 */
export function usageOfResponse(usage: unknown): TokenUsage | null {
  if (!isRecord(usage)) return null;
  const inputDetails = isRecord(usage['input_tokens_details']) ? usage['input_tokens_details'] : {};
  const outputDetails = isRecord(usage['output_tokens_details']) ? usage['output_tokens_details'] : {};
  return usageOfOpenAiCounters({
    prompt: usage['input_tokens'],
    output: usage['output_tokens'],
    cached: inputDetails['cached_tokens'],
    written: inputDetails['cache_write_tokens'],
    reasoning: outputDetails['reasoning_tokens'],
  });
}
