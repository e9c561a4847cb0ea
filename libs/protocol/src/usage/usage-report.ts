import { type Operation } from '../call/operation';
import { type JsonRecord } from '../json/byte-text';
import { type TokenUsage } from './token-usage';

/** `usage` as answers of the route report it. */
export const usageReport = (operation: Operation, usage: TokenUsage): JsonRecord => reports[operation](usage);

/** `usage` of a chat completion. Its `prompt_tokens` include cache reads and writes. */
export function chatCompletionUsageReport(usage: TokenUsage): JsonRecord {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const promptTokens = inputTokens + cachedInputTokens + cacheWriteTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}

/** `usage` of a message. Zeros where nothing was reported, because clients read the counters without a check. */
export function messageUsageReport(usage: TokenUsage | null): JsonRecord {
  return {
    input_tokens: usage?.inputTokens ?? 0,
    cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
    cache_read_input_tokens: usage?.cachedInputTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
    output_tokens_details: { thinking_tokens: usage?.reasoningTokens ?? 0 },
  };
}

/** `usage` of a response. Its `input_tokens` include cache reads and writes. */
export function responseUsageReport(usage: TokenUsage): JsonRecord {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const promptTokens = inputTokens + cachedInputTokens + cacheWriteTokens;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + outputTokens,
  };
}

/** `usage` of an embeddings answer, which has no output. */
function embeddingsUsageReport({ inputTokens }: TokenUsage): JsonRecord {
  return { prompt_tokens: inputTokens, total_tokens: inputTokens };
}

const reports: Readonly<Record<Operation, (usage: TokenUsage) => JsonRecord>> = {
  chat_completions: chatCompletionUsageReport,
  messages: messageUsageReport,
  responses: responseUsageReport,
  embeddings: embeddingsUsageReport,
};
