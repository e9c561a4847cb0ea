/** Providers report what they like: a sum that its column cannot hold would keep all others from being written. */
export const amountColumn = (sum: number): number => Math.min(sum, Number.MAX_SAFE_INTEGER);

/** The bounds that have times, and how many. */
export function occurring(histogram: ArrayLike<number>) {
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
