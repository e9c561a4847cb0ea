import { isRecord, type JsonRecord } from '../json/byte-text';
import { recordIn, recordsIn } from '../json/untyped';
import {
  greaterCounters,
  type OpenAiCounters,
  openAiCounters,
  optionalTokenCountOf,
  tokenCountOf,
  type TokenUsage,
  usageOfCounters,
} from './token-usage';

/**
 * Reads the `usage` of a chat completion. Its `prompt_tokens` include cache reads and writes. Null when a counter is
 * missing, negative or not an integer.
 */
export function usageOfChatCompletion(usage: unknown): TokenUsage | null {
  const counters = countersOf(usage);
  return counters === null ? null : usageOfCounters(counters);
}

/** Reads the usage of a chat completion or a chunk, wherever the provider puts it. Null when it has none that is usable. */
export function usageOfChatAnswer(answer: JsonRecord): TokenUsage | null {
  const counters = countersIn(answer);
  return counters === null ? null : usageOfCounters(counters);
}

/** The usage of a chat stream: its reports are running totals, so none makes an earlier one smaller. */
export class ChatUsageReports {
  #counters: OpenAiCounters | null = null;
  /** The members of reports that are not usable alone: some servers tell one counter a chunk. */
  #parts: JsonRecord = {};

  get usage(): TokenUsage | null {
    return this.#counters === null ? null : usageOfCounters(this.#counters);
  }

  take(chunk: JsonRecord): void {
    const counters = countersIn(chunk) ?? this.#joined(chunk['usage']);
    if (counters === null) return;
    this.#counters = this.#counters === null ? counters : greaterCounters(this.#counters, counters);
  }

  #joined(part: unknown): OpenAiCounters | null {
    if (!isRecord(part)) return null;
    const told = Object.entries(part).filter(([, value]) => value !== null);
    this.#parts = { ...this.#parts, ...Object.fromEntries(told) };
    return countersOf(this.#parts);
  }
}

function countersIn(answer: JsonRecord): OpenAiCounters | null {
  return countersOf(answer['usage']) ?? countersAtOwnPlace(answer);
}

/** Moonshot reports in the last choice of a stream (`choices[0].usage`), Groq in `x_groq.usage`. */
function countersAtOwnPlace(answer: JsonRecord): OpenAiCounters | null {
  for (const { usage } of recordsIn(answer['choices'])) {
    const counters = countersOf(usage);
    if (counters !== null) return counters;
  }
  return countersOf(recordIn(answer['x_groq'])['usage']);
}

function countersOf(usage: unknown): OpenAiCounters | null {
  if (!isRecord(usage)) return null;
  const promptDetails = recordIn(usage['prompt_tokens_details']);
  const counters = openAiCounters({
    prompt: usage['prompt_tokens'],
    output: usage['completion_tokens'],
    cached: cacheReadsIn(usage, promptDetails['cached_tokens']),
    written: promptDetails['cache_write_tokens'],
    reasoning: recordIn(usage['completion_tokens_details'])['reasoning_tokens'],
  });
  return counters === null ? null : withOutputBesides(counters, usage['total_tokens']);
}

/**
 * Members with cache reads beside OpenAI's: Moonshot's, DeepSeek's (https://api-docs.deepseek.com/guides/kv_cache) and
 * Mistral's (https://docs.mistral.ai/api).
 */
const OWN_CACHE_READS = ['cached_tokens', 'prompt_cache_hit_tokens', 'num_cached_tokens'] as const;

/** The greatest count of all places. What is no count stays, so that the report is not usable. */
function cacheReadsIn(usage: JsonRecord, usual: unknown): unknown {
  let reads = greaterCount(usual, recordIn(usage['prompt_token_details'])['cached_tokens']);
  for (const member of OWN_CACHE_READS) reads = greaterCount(reads, usage[member]);
  return reads;
}

function greaterCount(one: unknown, other: unknown): unknown {
  if (other === undefined || other === null) return one;
  const [count, otherCount] = [optionalTokenCountOf(one), tokenCountOf(other)];
  if (count === null) return one;
  return otherCount === null ? other : Math.max(count, otherCount);
}

/**
 * xAI and Google leave reasoning out of `completion_tokens`, and count it in `total_tokens` only. They charge it as
 * output.
 */
function withOutputBesides(counters: OpenAiCounters, total: unknown): OpenAiCounters {
  const { prompt, output, cached, reasoning } = counters;
  const besides = (optionalTokenCountOf(total) ?? 0) - prompt - output;
  const isReasoning = besides > 0 && (reasoning === besides || (reasoning === 0 && cached === 0));
  return isReasoning ? { ...counters, output: output + besides, reasoning: besides } : counters;
}
