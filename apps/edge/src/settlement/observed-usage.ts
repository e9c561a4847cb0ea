import { plainUsage, promptTokensOf, type TokenUsage } from '@svc/protocol';

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
 * The usage of an answer without a report of the whole: the provider's report so far, with no less output than was
 * received; else an estimate (docs/reference/money.md#cost-states). A prompt of no tokens is no report of it. Null when
 * there was neither report nor output.
 */
export function observedUsage({ reported, promptTokens, outputBytes }: Observation): TokenUsage | null {
  if (reported === null && outputBytes === 0) return null;
  const outputTokens = Math.max(reported?.outputTokens ?? 0, estimatedTokens(outputBytes));
  const countsPrompt = reported !== null && (promptTokensOf(reported) > 0 || outputTokens === 0);
  return countsPrompt ? { ...reported, outputTokens } : plainUsage(promptTokens, outputTokens);
}
