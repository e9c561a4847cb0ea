import { eventually } from '@svc/testing';
import { sleep } from '../harness/sleep';

/** An answer that a client received in full: its cost must be charged. */
export interface WholeAnswer {
  readonly id: string;
  readonly cost: bigint;
}

interface LaneOptions {
  readonly name: string;
  readonly pauseMs: number;
  /** One try. @returns `ok`, or why it failed. A throw is a refused or cut connection. */
  readonly tryOnce: () => Promise<string>;
}

export interface Tried {
  readonly lane: string;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: string;
}

export const OK = 'ok';

/** Clients that keep trying whatever happens, and the outcome of each try. */
export class SteadyLoad {
  readonly tries: Tried[] = [];
  private readonly lanes: Promise<void>[] = [];
  private isStopped = false;

  start(lane: LaneOptions): void {
    this.lanes.push(this.run(lane));
  }

  /** Resolves when the tries in flight have ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.lanes);
  }

  /** @returns milliseconds until the end of the first success, in lanes of that name, that began after `sinceMs`. */
  async recovery(lane: string, sinceMs: number, timeoutMs = 60_000): Promise<number> {
    return eventually(() => {
      const first = this.after(lane, sinceMs).find(({ outcome }) => outcome === OK);
      if (first === undefined) throw new Error(`Nothing succeeded again in the lane ${lane}.`);
      return first.endedAtMs - sinceMs;
    }, timeoutMs);
  }

  /** Tries that began in a time span, in lanes whose names have the prefix. */
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

/** Counts tries by outcome. */
export const outcomesOf = (tries: readonly Tried[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(tries, ({ outcome }) => outcome)].map(([name, { length }]) => [name, length]),
  );

/** Milliseconds of the slowest try. */
export const slowestOf = (tries: readonly Tried[]): number =>
  Math.max(0, ...tries.map(({ beganAtMs, endedAtMs }) => endedAtMs - beganAtMs));
