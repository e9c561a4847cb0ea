import { nanos, type Nanos } from '@svc/kernel';
import { WHOLE_BPS } from '../prices/paid-parts';

const SECONDS_PER_HOUR = 3_600n;
/** Of a run: hours are given with two decimals. */
const SECONDS_PER_HUNDREDTH_HOUR = 36;

/** So many basis points of the price of seconds, exact, and rounded up once. */
export function priceOfSeconds(seconds: number, pricePerHour: Nanos, bps = WHOLE_BPS): Nanos {
  const divisor = SECONDS_PER_HOUR * BigInt(WHOLE_BPS);
  return nanos((BigInt(seconds) * pricePerHour * BigInt(bps) + divisor - 1n) / divisor);
}

/** The longest that a run may take, in seconds. @param maxHours with at most two decimals. */
export const runSecondsMax = (maxHours: number): number =>
  Math.round(maxHours * 100) * SECONDS_PER_HUNDREDTH_HOUR;

/** Whole seconds that have passed. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1_000));

/** A part of a run that is paid for ahead: seconds since it began to serve. */
export interface Slice {
  /** From 1. */
  readonly number: number;
  /** Its first second. */
  readonly fromSecond: number;
  readonly seconds: number;
}

export const endOf = ({ fromSecond, seconds }: Slice): number => fromSecond + seconds;

/** How many of a slice's seconds a run of that length has used. */
export const usedSeconds = ({ fromSecond, seconds }: Slice, runSeconds: number): number =>
  Math.min(Math.max(runSeconds - fromSecond, 0), seconds);

interface Schedule {
  /** `SVC_ENDPOINT_SLICE_SECONDS` */
  readonly sliceSeconds: number;
  /** A slice ends with the run. */
  readonly maxSeconds: number;
}

export const firstSlice = ({ sliceSeconds, maxSeconds }: Schedule): Slice => ({
  number: 1,
  fromSecond: 0,
  seconds: Math.min(sliceSeconds, maxSeconds),
});

/** The second of a run at which the slice after this one is held: a tenth of a slice before its end. */
export const holdSecondAfter = (last: Slice): number =>
  endOf(last) - Math.max(1, Math.ceil(last.seconds / 10));

/**
 * The slice to hold now.
 * @param runSeconds how long the run has served. Seconds that no slice has are never paid for: after a gap the next one
 * begins now.
 * @returns null where it is too early, or the run ends with the last slice.
 */
export function nextSlice(
  last: Slice,
  runSeconds: number,
  { sliceSeconds, maxSeconds }: Schedule,
): Slice | null {
  if (runSeconds < holdSecondAfter(last)) return null;
  const fromSecond = Math.max(endOf(last), runSeconds);
  if (fromSecond >= maxSeconds) return null;
  return { number: last.number + 1, fromSecond, seconds: Math.min(sliceSeconds, maxSeconds - fromSecond) };
}

/** Seconds that a run served and no slice has: the loss of the platform. */
export const unmeteredSeconds = (slices: readonly Slice[], runSeconds: number): number =>
  runSeconds - slices.reduce((sum, slice) => sum + usedSeconds(slice, runSeconds), 0);
