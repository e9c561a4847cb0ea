/** Times from 1 ms to 10 min are counted by 64 bounds, each 1.235 times the one before. */
export const TIME_BOUNDS = 64;
const MS_MAX = 600_000;
const LAST = TIME_BOUNDS - 1;
const BOUNDS_PER_LOG_MS = LAST / Math.log(MS_MAX);

/** The number of the lowest bound that is not below a time, from 0 to 63. Longer times than 10 min count as the last. */
export function timeBound(ms: number): number {
  if (ms <= 1) return 0;
  return Math.min(LAST, Math.ceil(Math.log(ms) * BOUNDS_PER_LOG_MS));
}

/** The upper bounds in milliseconds, to the microsecond. The last one has none: longer times than 10 min count there. */
export const timeBoundsMs: readonly number[] = Array.from(
  { length: LAST },
  (_, bound) => Math.round(1000 * MS_MAX ** (bound / LAST)) / 1000,
);

/**
 * A percentile by nearest rank, in milliseconds. It is at most 12 % off for times from 1 ms to 10 min: all times of one
 * bound count as their geometric middle.
 * @param counts by the number of the bound.
 * @param share 0.95 for the 95th percentile.
 * @returns null without any times.
 */
export function percentileOf(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(share * total));
  let upTo = 0;
  const bound = counts.findIndex((count) => (upTo += count) >= rank);
  return bound < 0 ? null : middleOf(bound);
}

function middleOf(bound: number): number {
  if (bound === 0) return 1;
  return Math.round(100 * MS_MAX ** ((bound - 0.5) / LAST)) / 100;
}
