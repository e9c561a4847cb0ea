const BATCH = 100;

/**
 * Settles the attempts of processes that died. Attempts in flight in this process are left out: they wait for the database,
 * and then settle with their real outcome.
 */
export async function failLostAttempts<T>(
  schedule: { findLost(limit: number): Promise<readonly T[]> },
  attempts: { failLost(delivery: T): Promise<void> },
  isInFlight: (delivery: T) => boolean,
): Promise<{ readonly more: boolean }> {
  const lost = (await schedule.findLost(BATCH)).filter((delivery) => !isInFlight(delivery));
  await Promise.all(lost.map((delivery) => attempts.failLost(delivery)));
  return { more: lost.length === BATCH };
}
