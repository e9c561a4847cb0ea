const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const GIVEN_UP_AFTER_MS = 24 * HOUR_MS;

/**
 * How long after a failed look-up an event of the provider is looked up again: after 2 seconds, then twice as long each
 * time, up to an hour. Null once it has waited for a day: the payment that it is about is asked about at times anyway.
 * @param tries how many look-ups failed before.
 */
export function lookUpAgainMs({ tries, ageMs }: { tries: number; ageMs: number }): number | null {
  if (ageMs >= GIVEN_UP_AFTER_MS) return null;
  return Math.min(HOUR_MS, 2 * SECOND_MS * 2 ** tries);
}
