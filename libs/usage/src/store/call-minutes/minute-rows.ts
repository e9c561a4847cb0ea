/** The sums of an edge over calls that ended in one minute. Counts of times are by the number of their bound. */
export interface CallSums {
  readonly calls: number;
  readonly failures: number;
  readonly cancelled: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly spentNanos: number;
  /** The amount that own accounts at providers paid. Absent for nothing. */
  readonly providerNanos?: number;
  readonly durations: ArrayLike<number>;
  readonly timesToFirstToken: ArrayLike<number>;
}

/** Columns with their types. */
type Columns = Readonly<Record<string, string>>;

const SUMS: Columns = {
  calls: 'int',
  failures: 'int',
  cancelled: 'int',
  input_tokens: 'bigint',
  cached_input_tokens: 'bigint',
  cache_write_tokens: 'bigint',
  output_tokens: 'bigint',
  reasoning_tokens: 'bigint',
  provider_nanos: 'bigint',
  duration_bounds: 'smallint[]',
  duration_counts: 'int[]',
  ttft_bounds: 'smallint[]',
  ttft_counts: 'int[]',
};

interface MinuteTable {
  readonly name: string;
  readonly key: Columns;
  /** Its sums beyond those that all have. */
  readonly sums: Columns;
  /** By which a minute is newer than the one that is stored: one of them is larger. */
  readonly growing: readonly string[];
}

/**
 * The statement that writes minutes, as JSON, in place of those that were written before. One that is sent again changes
 * nothing, and one that comes late, after a newer one, lowers nothing.
 */
export function writeMinutes({ name, key, sums: more, growing }: MinuteTable): string {
  const sums = Object.keys({ ...SUMS, ...more });
  const columns = [...Object.keys(key), ...sums].join(', ');
  const typed = Object.entries({ ...key, ...SUMS, ...more }).map((column) => column.join(' '));
  return `
  INSERT INTO ${name} AS m (${columns})
  SELECT ${columns} FROM jsonb_to_recordset($1) AS r (${typed.join(', ')})
  ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET
    ${sums.map((column) => `${column} = excluded.${column}`).join(', ')}
  WHERE ${growing.map((column) => `m.${column} < excluded.${column}`).join(' OR ')}`;
}

/** The sums that all have, as the statement reads them. */
export function sumsOf(minute: CallSums) {
  const durations = occurring(minute.durations);
  const timesToFirstToken = occurring(minute.timesToFirstToken);
  return {
    calls: minute.calls,
    failures: minute.failures,
    cancelled: minute.cancelled,
    input_tokens: amountColumn(minute.inputTokens),
    cached_input_tokens: amountColumn(minute.cachedInputTokens),
    cache_write_tokens: amountColumn(minute.cacheWriteTokens),
    output_tokens: amountColumn(minute.outputTokens),
    reasoning_tokens: amountColumn(minute.reasoningTokens),
    provider_nanos: amountColumn(minute.providerNanos ?? 0),
    duration_bounds: durations.bounds,
    duration_counts: durations.counts,
    ttft_bounds: timesToFirstToken.bounds,
    ttft_counts: timesToFirstToken.counts,
  };
}

/** Providers report what they like: a sum that its column cannot hold would keep all others from being written. */
export const amountColumn = (sum: number): number => Math.min(sum, Number.MAX_SAFE_INTEGER);

/** The bounds that have times, and how many. */
function occurring(histogram: ArrayLike<number>) {
  const bounds: number[] = [];
  const counts: number[] = [];
  for (let bound = 0; bound < histogram.length; bound++) {
    const count = histogram[bound] ?? 0;
    if (count === 0) continue;
    bounds.push(bound);
    counts.push(count);
  }
  return { bounds, counts };
}
