import { StorageError } from './object-store';

/** The most that one call of a store takes. */
export const WAIT_MS = 30_000;

/**
 * Bounds a wait. A file system that does not answer cannot be interrupted: its call is left behind.
 * @throws StorageError `unavailable` when the time is over.
 */
export async function withinTime<T>(work: Promise<T>, waitMs = WAIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StorageError('unavailable', `the store did not answer within ${String(waitMs)} ms`));
    }, waitMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
