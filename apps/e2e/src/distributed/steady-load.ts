import { eventually } from '@svc/testing';
import { sleep } from '../harness/concurrency';

/** An answer that a client has in full: what it cost is a promise. */
export interface WholeAnswer {
  readonly id: string;
  readonly cost: bigint;
}

export interface LaneOptions {
  readonly name: string;
  readonly pauseMs: number;
  /** One try. @returns `ok`, or why it was not. A throw is a connection that was refused or cut. */
  readonly tryOnce: () => Promise<string>;
}

export interface Tried {
  readonly lane: string;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: string;
}

export const OK = 'ok';

/** Clients that go on trying whatever happens, and what became of each of their tries. */
export class SteadyLoad {
  readonly tries: Tried[] = [];
  private readonly lanes: Promise<void>[] = [];
  private isStopped = false;

  start(lane: LaneOptions): void {
    this.lanes.push(this.run(lane));
  }

  /** Resolves when the tries under way have ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.lanes);
  }

  /** @returns milliseconds until the end of the first success in lanes of that name that began after the moment. */
  async recovery(lane: string, sinceMs: number, timeoutMs = 60_000): Promise<number> {
    return eventually(() => {
      const first = this.after(lane, sinceMs).find(({ outcome }) => outcome === OK);
      if (first === undefined) throw new Error(`Nothing succeeded again in the lane ${lane}.`);
      return first.endedAtMs - sinceMs;
    }, timeoutMs);
  }

  /** Tries that began in a span of time, in lanes whose names begin so. */
  after(lane: string, fromMs: number, untilMs = Infinity): Tried[] {
    return this.tries.filter(
      (tried) => tried.lane.startsWith(lane) && tried.beganAtMs >= fromMs && tried.beganAtMs < untilMs,
    );
  }

  private async run({ name: lane, pauseMs, tryOnce }: LaneOptions): Promise<void> {
    while (!this.isStopped) {
      const beganAtMs = performance.now();
      const outcome = await tryOnce().catch(() => 'cut');
      this.tries.push({ lane, beganAtMs, endedAtMs: performance.now(), outcome });
      await sleep(pauseMs);
    }
  }
}

/** How many tries ended how. */
export const outcomesOf = (tries: readonly Tried[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(tries, ({ outcome }) => outcome)].map(([name, { length }]) => [name, length]),
  );
