const FIRST_MS = 5_000;
const MOST_MS = 300_000;

/** How long a worker waits after tries in a row that came to nothing: 5 s, 10 s, … 5 minutes. */
export const retryDelayMs = (failures: number): number =>
  Math.min(FIRST_MS * 2 ** Math.min(Math.max(failures - 1, 0), 16), MOST_MS);

const HOUR_MS = 3_600_000;
/** A provider that is out of reach for so long fails the job. */
const UNREACHABLE_MS = 72 * HOUR_MS;
/** A provider that answers, but knows nothing of a job that it had made, is believed after so long. */
const FORGOTTEN_MS = HOUR_MS;

/** True where a job is given up after its provider answered nothing useful since then. */
export const isGivenUp = (since: Date, now: Date, trouble: 'unreachable' | 'forgotten'): boolean =>
  now.getTime() - since.getTime() >= (trouble === 'forgotten' ? FORGOTTEN_MS : UNREACHABLE_MS);
