import { type TokenUsage } from '@svc/protocol';

const BYTES_PER_TOKEN = 4;

export interface Observation {
  /** What the provider has reported so far; null for nothing. */
  readonly reported: TokenUsage | null;
  readonly promptBytes: number;
  readonly contextWindow: number;
  /** Bytes of generated text and tool arguments that came through. */
  readonly outputBytes: number;
}

/**
 * The usage of an answer that was cut: what the provider reported, and where it is silent, an estimate from what
 * came through (interface.md, Idempotency, rule 5). Null when there was neither report nor output.
 */
export function observedUsage({
  reported,
  promptBytes,
  contextWindow,
  outputBytes,
}: Observation): TokenUsage | null {
  if (reported === null && outputBytes === 0) return null;
  const outputTokens = Math.ceil(outputBytes / BYTES_PER_TOKEN);
  if (reported !== null) return { ...reported, outputTokens: Math.max(reported.outputTokens, outputTokens) };
  return {
    inputTokens: Math.min(Math.ceil(promptBytes / BYTES_PER_TOKEN), contextWindow),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: 0,
  };
}
