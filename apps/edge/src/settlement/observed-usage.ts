import { plainUsage, type TokenUsage } from '@svc/protocol';

const BYTES_PER_TOKEN = 4;

/** One token for each started 4 bytes. */
export const estimatedTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

interface Observation {
  /** The usage that the provider reported so far; null when it reported none. */
  readonly reported: TokenUsage | null;
  readonly promptTokens: number;
  /** Bytes of generated text and tool arguments that were received. */
  readonly outputBytes: number;
}

/**
 * The usage of an incomplete answer: the provider's report, with no less output than was received; else an estimate
 * (docs/reference/money.md#cost-states). Null when there was neither report nor output.
 */
export function observedUsage({ reported, promptTokens, outputBytes }: Observation): TokenUsage | null {
  if (reported === null && outputBytes === 0) return null;
  const outputTokens = estimatedTokens(outputBytes);
  if (reported !== null) return { ...reported, outputTokens: Math.max(reported.outputTokens, outputTokens) };
  return plainUsage(promptTokens, outputTokens);
}
