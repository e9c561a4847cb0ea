import { formatPlural } from '../format/numbers';

/** The pace is that of these last days, in UTC. */
export const PACE_DAYS = 7n;
/** Beyond this many days the pace says nothing more of the day. */
const TOLD_MAX = 3650n;

/** The whole days that the wallet lasts at the pace of the last `PACE_DAYS`; null where nothing was spent in them. */
export function daysLeft(available: bigint, spent: bigint): bigint | null {
  if (spent <= 0n) return null;
  return available <= 0n ? 0n : (available * PACE_DAYS) / spent;
}

/** `Less than a day`, `12 days`, `More than 10 years`. */
export function daysLeftWords(days: bigint): string {
  if (days === 0n) return 'Less than a day';
  return days > TOLD_MAX ? 'More than 10 years' : formatPlural(Number(days), 'day');
}
