import { isRecord, type JsonRecord } from '../json/byte-text';
import { optionalTokenCountOf, tokenCountOf, type TokenUsage } from './token-usage';

/**
 * Iterations of a message whose tokens its totals leave out: requests that the provider makes of its own accord to
 * shorten the context or to ask an advisor. They are billed all the same.
 */
const LEFT_OUT_OF_TOTALS: ReadonlySet<unknown> = new Set(['compaction', 'advisor_message']);

/**
 * Reads the `usage` of a message. Its `input_tokens` exclude cache reads and writes. Null when a counter is missing,
 * negative or not an integer.
 */
export function usageOfMessage(usage: unknown): TokenUsage | null {
  const totals = usageOfIteration(usage);
  if (totals === null || !isRecord(usage) || !Array.isArray(usage['iterations'])) return totals;
  let sum = totals;
  for (const iteration of usage['iterations']) {
    if (!isRecord(iteration) || !LEFT_OUT_OF_TOTALS.has(iteration['type'])) continue;
    const more = usageOfIteration(iteration);
    if (more === null) return null;
    sum = addUsage(sum, more);
  }
  return sum;
}

function usageOfIteration(usage: unknown): TokenUsage | null {
  if (!isRecord(usage)) return null;
  const details = isRecord(usage['output_tokens_details']) ? usage['output_tokens_details'] : {};
  const inputTokens = tokenCountOf(usage['input_tokens']);
  const outputTokens = tokenCountOf(usage['output_tokens']);
  const cachedInputTokens = optionalTokenCountOf(usage['cache_read_input_tokens']);
  const cacheWriteTokens = optionalTokenCountOf(usage['cache_creation_input_tokens']);
  const reasoning = optionalTokenCountOf(details['thinking_tokens']);
  if (inputTokens === null || outputTokens === null) return null;
  if (cachedInputTokens === null || cacheWriteTokens === null || reasoning === null) return null;
  return {
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: Math.min(reasoning, outputTokens),
  };
}

const addUsage = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
});

/**
 * The usage of a messages stream. It begins with the counters of the prompt, and ends with those of the whole message.
 */
export class MessageUsageReports {
  #report: JsonRecord = {};
  #isWhole = false;

  /** Null before the first report, and when a counter is not usable. */
  get usage(): TokenUsage | null {
    return usageOfMessage(this.#report);
  }

  /** True where the usage is that of the message. The counters of its beginning alone are not. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** `usage`: that of `message_start`. */
  begin(usage: unknown): void {
    this.#report = laterMessageUsage(this.#report, usage);
  }

  /** `usage`: that of a `message_delta`. */
  add(usage: unknown): void {
    this.#report = laterMessageUsage(this.#report, usage);
    this.#isWhole ||= isRecord(usage) && (usage['output_tokens'] ?? null) !== null;
  }
}

const PROMPT_COUNTERS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

/**
 * Merges the report of a later event of the same stream. Its counters are totals of the whole message, so each one
 * replaces the earlier one. No total shrinks: some servers end with zeros.
 */
export function laterMessageUsage(earlier: JsonRecord, later: unknown): JsonRecord {
  if (!isRecord(later)) return earlier;
  const carried = Object.entries(later).filter(([, value]) => value !== null);
  const merged = { ...earlier, ...Object.fromEntries(carried) };
  const hasShrunk = sumOf(merged, PROMPT_COUNTERS) < sumOf(earlier, PROMPT_COUNTERS);
  const totals = hasShrunk ? [...PROMPT_COUNTERS, 'output_tokens'] : ['output_tokens'];
  return {
    ...merged,
    ...greaterOf(earlier, merged, totals),
    ...greaterDetails(earlier, merged),
    ...longerIterations(earlier, merged),
  };
}

/** A prompt's tokens may be told apart later only, so one of its counters may fall while the sum does not. */
const sumOf = (report: JsonRecord, counters: readonly string[]): number =>
  counters.reduce((sum, counter) => sum + (tokenCountOf(report[counter]) ?? 0), 0);

function greaterOf(earlier: JsonRecord, later: JsonRecord, counters: readonly string[]): JsonRecord {
  const greater = counters.filter((counter) => {
    const [before, after] = [tokenCountOf(earlier[counter]), tokenCountOf(later[counter])];
    return before !== null && after !== null && before > after;
  });
  return Object.fromEntries(greater.map((counter) => [counter, earlier[counter]]));
}

function greaterDetails({ output_tokens_details: earlier }: JsonRecord, later: JsonRecord): JsonRecord {
  const details = later['output_tokens_details'];
  if (!isRecord(earlier) || !isRecord(details)) return {};
  return { output_tokens_details: { ...details, ...greaterOf(earlier, details, ['thinking_tokens']) } };
}

function longerIterations(
  { iterations: earlier }: JsonRecord,
  { iterations: later }: JsonRecord,
): JsonRecord {
  return Array.isArray(earlier) && Array.isArray(later) && earlier.length > later.length
    ? { iterations: earlier }
    : {};
}
