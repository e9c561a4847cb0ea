import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 10;

/**
 * Tries an assertion until it holds, and returns what it returns.
 * @throws what the last try threw, when the time is over.
 */
export async function eventually<T>(assertion: () => T | Promise<T>, timeoutMs = 2000): Promise<T> {
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
