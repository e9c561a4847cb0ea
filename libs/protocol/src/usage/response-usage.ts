import { isRecord } from '../json/byte-text';
import { recordIn } from '../json/untyped';
import { openAiCounters, type TokenUsage, usageOfCounters } from './token-usage';

/**
 * Reads the `usage` of a response. Its `input_tokens` include cache reads and writes. Null when a counter is missing,
 * negative or not an integer.
 */
export function usageOfResponse(usage: unknown): TokenUsage | null {
  if (!isRecord(usage)) return null;
  const inputDetails = recordIn(usage['input_tokens_details']);
  const counters = openAiCounters({
    prompt: usage['input_tokens'],
    output: usage['output_tokens'],
    cached: inputDetails['cached_tokens'],
    written: inputDetails['cache_write_tokens'],
    reasoning: recordIn(usage['output_tokens_details'])['reasoning_tokens'],
  });
  return counters === null ? null : usageOfCounters(counters);
}
