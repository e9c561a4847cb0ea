import { isRecord, type JsonRecord } from '../json/byte-text';
import { recordIn, recordsIn } from '../json/untyped';
import {
  greaterCounters,
  type OpenAiCounters,
  openAiCounters,
  optionalTokenCountOf,
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

  get usage(): TokenUsage | null {
    return this.#counters === null ? null : usageOfCounters(this.#counters);
  }

  take(chunk: JsonRecord): void {
    const counters = countersIn(chunk);
    if (counters === null) return;
    this.#counters = this.#counters === null ? counters : greaterCounters(this.#counters, counters);
  }
}

/** Moonshot reports in the last choice of a stream (`choices[0].usage`), Groq in `x_groq.usage`. */
function countersIn(answer: JsonRecord): OpenAiCounters | null {
  const choices = recordsIn(answer['choices']);
  const reports = [
    answer['usage'],
    ...choices.map(({ usage }) => usage),
    recordIn(answer['x_groq'])['usage'],
  ];
  return reports.reduce<OpenAiCounters | null>((found, report) => found ?? countersOf(report), null);
}

function countersOf(usage: unknown): OpenAiCounters | null {
  if (!isRecord(usage)) return null;
  const promptDetails = recordIn(usage['prompt_tokens_details']);
  const outputDetails = recordIn(usage['completion_tokens_details']);
  const counters = openAiCounters({
    prompt: usage['prompt_tokens'],
    output: usage['completion_tokens'],
    cached: [promptDetails['cached_tokens'], ...ownCacheReads(usage)],
    written: [promptDetails['cache_write_tokens']],
    reasoning: outputDetails['reasoning_tokens'],
  });
  return counters === null ? null : withOutputBesides(counters, usage['total_tokens']);
}

/** Places of cache reads beside OpenAI's. */
function ownCacheReads(usage: JsonRecord): readonly unknown[] {
  return [
    // Moonshot
    usage['cached_tokens'],
    // DeepSeek, https://api-docs.deepseek.com/guides/kv_cache
    usage['prompt_cache_hit_tokens'],
    // Mistral, https://docs.mistral.ai/api
    usage['num_cached_tokens'],
    recordIn(usage['prompt_token_details'])['cached_tokens'],
  ];
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
