/** How a figure changed, as a share of what it was: 0.125 is an eighth more. Null where there was nothing before. */
export function changeOf(now: bigint, before: bigint): number | null {
  if (before === 0n) return null;
  return Number(((now - before) * 1_000n) / before) / 1_000;
}

/** The days that an amount lasts at the pace of others; null where nothing is spent. */
export function daysLeft(available: bigint, spent: bigint, days: bigint): bigint | null {
  if (spent <= 0n) return null;
  return available <= 0n ? 0n : (available * days) / spent;
}
