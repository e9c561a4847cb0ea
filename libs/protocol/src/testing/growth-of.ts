const ROUNDS = 3;

/**
 * How many times longer work takes for four times the size. The fastest of three rounds counts, because a busy machine
 * only ever delays.
 * @param prepare makes the work for a size, which is not measured itself.
 */
export function growthOf(size: number, prepare: (size: number) => () => void, nowMs: () => number): number {
  const fastestMs = (work: () => void): number => {
    const times = Array.from({ length: ROUNDS }, () => {
      const startedAt = nowMs();
      work();
      return nowMs() - startedAt;
    });
    return Math.min(...times);
  };
  const small = fastestMs(prepare(size));
  return fastestMs(prepare(4 * size)) / small;
}
