import { setTimeout as wait } from 'node:timers/promises';

/** The longest that a refusal waits for the release of its key: a hundred times what a healthy database takes. */
const RELEASE_WAIT_MS = 250;

/** Releases of keys in progress. Some go on after their callers were answered. */
export class PendingReleases {
  private readonly running = new Set<Promise<void>>();

  /** @param release never rejects; it may go on after this has resolved. */
  async waitFor(release: Promise<void>): Promise<void> {
    const tracked = release.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
    await atMost(RELEASE_WAIT_MS, tracked);
  }

  /** Resolves when none is pending, or after `timeoutMs`: the other keys are free once this process's lease lapses. */
  async drain(timeoutMs: number): Promise<void> {
    await atMost(timeoutMs, Promise.all(this.running));
  }
}

async function atMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, wait(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
