export type BucketScope = 'key' | 'org';
export type BucketUnit = 'requests' | 'tokens';

/** One limit: `capacity` requests or tokens a minute, a whole number of at least 1 (interface.md, Limits). */
export interface Bucket {
  readonly scope: BucketScope;
  readonly unit: BucketUnit;
  readonly capacity: number;
}

export interface BucketState {
  /** What is left, in drops: see {@link DROPS_PER_UNIT}. */
  readonly level: number;
  readonly updatedAtMs: number;
}

/** What one call takes of every bucket of a unit. Whole numbers. */
export type BucketDemand = Readonly<Record<BucketUnit, number>>;

/**
 * Levels are counted in 60 000ths of a request or token: a bucket then gains exactly `capacity` drops a
 * millisecond, and the arithmetic stays in whole numbers, where nothing drifts.
 */
export const DROPS_PER_UNIT = 60_000;
const REFILL_MS = 60_000;

export const fullLevel = (bucket: Bucket): number => bucket.capacity * DROPS_PER_UNIT;

/** The state at `nowMs`. A bucket never seen is full; a clock that went back adds nothing. */
export function refill(bucket: Bucket, state: BucketState | null, nowMs: number): BucketState {
  if (state === null) return { level: fullLevel(bucket), updatedAtMs: nowMs };
  const elapsedMs = Math.min(Math.max(0, nowMs - state.updatedAtMs), REFILL_MS);
  return {
    level: Math.min(fullLevel(bucket), state.level + elapsedMs * bucket.capacity),
    updatedAtMs: Math.max(nowMs, state.updatedAtMs),
  };
}

/** Whole seconds until `level` drops are in the bucket, rounded up; 0 when they are. */
export function secondsUntil(bucket: Bucket, state: BucketState, level: number): number {
  return Math.ceil(Math.max(0, level - state.level) / (bucket.capacity * 1000));
}
