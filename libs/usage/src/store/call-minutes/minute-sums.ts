import { type Database } from '@svc/database';
import { type MinuteSum } from '@svc/telemetry';
import { TIME_BOUNDS, timeBoundsMs } from '../../rules/histogram';

type Row = Omit<MinuteSum, 'durations' | 'timesToFirstToken'> & {
  readonly durationBounds: readonly number[];
  readonly durationCounts: readonly number[];
  readonly ttftBounds: readonly number[];
  readonly ttftCounts: readonly number[];
};

/**
 * The calls of an organization that ended in a minute, by project, key, model and provider.
 * @param minuteMs Unix milliseconds of the start of the UTC minute.
 * @param rowsMax rows of the database, of which each edge has its own: more are left out.
 */
export async function minuteSums(
  { pool }: Database,
  organizationId: string,
  minuteMs: number,
  rowsMax: number,
): Promise<readonly MinuteSum[]> {
  const { rows } = await pool.query<Row>({
    name: 'minute_sums',
    text: `SELECT organization_id AS "organizationId", nullif(project_id, '') AS "projectId", api_key_id AS "apiKeyId", model,
             nullif(provider, '') AS provider, calls, failures,
             (input_tokens + cached_input_tokens + cache_write_tokens)::float8 AS "inputTokens",
             output_tokens::float8 AS "outputTokens", spent_nanos::float8 AS "spentNanos",
             duration_bounds AS "durationBounds", duration_counts AS "durationCounts",
             ttft_bounds AS "ttftBounds", ttft_counts AS "ttftCounts"
           FROM call_minutes WHERE organization_id = $1 AND minute = $2 AND calls > 0 LIMIT $3`,
    values: [organizationId, new Date(minuteMs), rowsMax],
  });
  const sums = new Map<string, MinuteSum>();
  for (const row of rows) {
    const { projectId, apiKeyId, model, provider } = row;
    const key = JSON.stringify([projectId, apiKeyId, model, provider]);
    const sum = sumOf(row);
    const known = sums.get(key);
    sums.set(key, known === undefined ? sum : added(known, sum));
  }
  return [...sums.values()];
}

function sumOf({ durationBounds, durationCounts, ttftBounds, ttftCounts, ...sum }: Row): MinuteSum {
  return {
    ...sum,
    durations: { boundsMs: timeBoundsMs, counts: countsOf(durationBounds, durationCounts) },
    timesToFirstToken: { boundsMs: timeBoundsMs, counts: countsOf(ttftBounds, ttftCounts) },
  };
}

/** All counts, of the few that a row stores. */
function countsOf(bounds: readonly number[], counts: readonly number[]): readonly number[] {
  const all = new Array<number>(TIME_BOUNDS).fill(0);
  bounds.forEach((bound, at) => {
    all[bound] = counts[at] ?? 0;
  });
  return all;
}

const added = (one: MinuteSum, other: MinuteSum): MinuteSum => ({
  ...one,
  calls: one.calls + other.calls,
  failures: one.failures + other.failures,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  spentNanos: one.spentNanos + other.spentNanos,
  durations: addedTimes(one.durations, other.durations),
  timesToFirstToken: addedTimes(one.timesToFirstToken, other.timesToFirstToken),
});

const addedTimes = (one: MinuteSum['durations'], other: MinuteSum['durations']): MinuteSum['durations'] => ({
  ...one,
  counts: one.counts.map((count, at) => count + (other.counts[at] ?? 0)),
});
