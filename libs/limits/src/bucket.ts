/** As `X-RateLimit-Scope` says it. No header tells of a provider credential's bucket. */
type BucketScope = 'key' | 'org' | 'project' | 'end_user' | 'credential';
type BucketUnit = 'requests' | 'tokens';

/**
 * One limit: `capacity` requests or tokens per minute, a whole number of at least 1
 * (docs/reference/limits-and-budgets.md#the-four-buckets).
 */
export interface Bucket {
  readonly scope: BucketScope;
  readonly unit: BucketUnit;
  readonly capacity: number;
}

export interface BucketState {
  /** The level in drops, see {@link DROPS_PER_UNIT}. */
  readonly level: number;
  readonly updatedAtMs: number;
}

/** The demand of one call per unit. Whole numbers. */
export interface BucketDemand extends Readonly<Record<BucketUnit, number>> {
  /** True where the call generates no text, so that only a shorter `input` lowers its demand; default: false. */
  readonly isInputOnly?: boolean;
}

/**
 * Levels are in drops: 60 000ths of a request or token. A bucket gains exactly `capacity` drops per millisecond, so the
 * arithmetic stays in whole numbers without drift.
 */
export const DROPS_PER_UNIT = 60_000;
const REFILL_MS = 60_000;

export const fullLevel = (bucket: Bucket): number => bucket.capacity * DROPS_PER_UNIT;

/**
 * The state at `nowMs`. An unused bucket is full. A clock that was set back adds nothing, and the refill continues from
 * the new time: waiting for the old time would stop the refill for as long as the clock was set back.
 */
export function refill(bucket: Bucket, state: BucketState | null, nowMs: number): BucketState {
  if (state === null) return { level: fullLevel(bucket), updatedAtMs: nowMs };
  const elapsedMs = Math.min(Math.max(0, nowMs - state.updatedAtMs), REFILL_MS);
  return {
    level: Math.min(fullLevel(bucket), state.level + elapsedMs * bucket.capacity),
    updatedAtMs: nowMs,
  };
}

/** Whole seconds until the bucket holds `level` drops, rounded up. 0 when it holds them. */
export function secondsUntil(bucket: Bucket, state: BucketState, level: number): number {
  return Math.ceil(Math.max(0, level - state.level) / (bucket.capacity * 1000));
}
