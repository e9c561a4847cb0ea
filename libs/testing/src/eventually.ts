import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 10;

/**
 * Retries an assertion until it holds, and returns its result.
 * @throws the error of the last try after the time-out.
 */
export async function eventually<T>(assertion: () => T | Promise<T>, timeoutMs = 20_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await pause(PAUSE_MS);
  }
}
