const FIRST_MS = 20;
const MAX_MS = 1_000;

/**
 * The delay before the next retry.
 * @param failures in a row before the latest one: 0 at the first failure.
 */
export const backoffMs = (failures: number): number =>
  Math.min(FIRST_MS * 2 ** Math.min(failures, 10), MAX_MS);
