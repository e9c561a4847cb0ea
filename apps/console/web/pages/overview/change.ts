/** How a figure changed, as a share of what it was: 0.125 is an eighth more. Null where there was nothing before. */
export function changeOf(now: bigint, before: bigint): number | null {
  if (before === 0n) return null;
  return Number(((now - before) * 1_000n) / before) / 1_000;
}
