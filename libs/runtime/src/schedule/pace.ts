import { setImmediate, setTimeout } from 'node:timers/promises';

/** The most that one rest takes, so that a service that stops waits no longer for it. */
const REST_MAX_MS = 1_000;

const clock = {
  nowMs: () => performance.now(),
  pause: (ms: number) => (ms === 0 ? setImmediate() : setTimeout(ms)),
};

/**
 * Keeps work in the background to a share of the time. After each slice it rests, in proportion to what the slice took, so
 * that calls beside it find a free processor and a free database. What else is due in the process runs in each rest.
 */
export class Pace {
  /** @param share more than 0, at most 1: 1 works all the time */
  constructor(
    private readonly share: number,
    private readonly time = clock,
  ) {}

  /** Does a slice of work, and rests. @throws what `work` throws, at once */
  async slice<Made>(work: () => Made | Promise<Made>): Promise<Made> {
    const startedAtMs = this.time.nowMs();
    const made = await work();
    const workedMs = this.time.nowMs() - startedAtMs;
    await this.time.pause(Math.min(workedMs * (1 / this.share - 1), REST_MAX_MS));
    return made;
  }
}
