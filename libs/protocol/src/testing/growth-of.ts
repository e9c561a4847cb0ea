const ROUNDS = 5;

/** Far more than a busy machine changes the times of one round, so a bound between the size and its square is safe. */
const TIMES_THE_SIZE = 16;

/** Four times off either: work in proportion to the size takes 16 times as long, work in its square 256 times. */
export const GROWTH_MAX = 64;

/**
 * How many times longer work takes for sixteen times the size. Both sizes take turns, because a machine changes its
 * speed within seconds. The fastest round of each counts, because a busy machine only ever delays.
 * @param prepare makes the work for a size, which is not measured itself.
 */
export function growthOf(size: number, prepare: (size: number) => () => void, nowMs: () => number): number {
  const [small, large] = [prepare(size), prepare(TIMES_THE_SIZE * size)];
  const durationMs = (work: () => void): number => {
    const startedAt = nowMs();
    work();
    return nowMs() - startedAt;
  };
  const rounds = Array.from({ length: ROUNDS }, () => [durationMs(small), durationMs(large)] as const);
  return Math.min(...rounds.map(([, ms]) => ms)) / Math.min(...rounds.map(([ms]) => ms));
}
