import { eventually } from '@svc/testing';
import { createLogger } from '../observability/logger';
import { RepeatingTask } from './repeating-task';

const EVERY_MS = 10;
let lines: string[];
let task: RepeatingTask;
const start = (
  run: () => Promise<{ readonly more: boolean }>,
  everyMs = EVERY_MS,
  runsMax = 1,
  isDue: () => Promise<boolean> = () => Promise.resolve(true),
): void => {
  lines = [];
  const logger = createLogger(
    { service: 'platform-spec', level: 'info' },
    { write: (line: string) => void lines.push(line) },
  );
  task = new RepeatingTask({ name: 'sweep', everyMs, runsMax, logger, isDue, run });
  task.onApplicationBootstrap();
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs that end only when the test ends them. */
class Runs {
  started = 0;
  atOnce = 0;
  atOnceMax = 0;
  private readonly waiting: (() => void)[] = [];
  readonly run = async (): Promise<{ more: boolean }> => {
    this.started++;
    this.atOnceMax = Math.max(this.atOnceMax, ++this.atOnce);
    await new Promise<void>((resolve) => void this.waiting.push(resolve));
    this.atOnce--;
    return { more: false };
  };
  end(): void {
    this.waiting.shift()?.();
  }
  hasStarted(runs: number): Promise<void> {
    return eventually(() => {
      expect(this.started).toBe(runs);
    });
  }
}

describe('a repeating task', () => {
  it('never runs twice concurrently, however long a run takes', async () => {
    const runs = new Runs();
    start(runs.run);
    await runs.hasStarted(1);
    await pause(10 * EVERY_MS);
    expect(runs.started).toBe(1);
    runs.end();
    await runs.hasStarted(2);
    const stopping = task.onApplicationShutdown();
    runs.end();
    await runs.hasStarted(3);
    runs.end();
    await stopping;
    expect(runs.atOnceMax).toBe(1);
  });

  it('runs first, and then where there is due work; what asks for another run gets it at once', async () => {
    let runs = 0;
    let asked = 0;
    const isDue = () => Promise.resolve(++asked === 3);
    start(() => Promise.resolve({ more: ++runs === 2 }), EVERY_MS, 1, isDue);
    await eventually(() => {
      expect({ runs, isAskedOn: asked > 5 }).toEqual({ runs: 3, isAskedOn: true });
    });
    await task.onApplicationShutdown();
    expect(runs).toBe(4);
  });

  it('starts another run beside a long one where it may, up to its most', async () => {
    const runs = new Runs();
    start(runs.run, EVERY_MS, 3);
    await runs.hasStarted(3);
    await pause(10 * EVERY_MS);
    expect(runs.started).toBe(3);
    runs.end();
    await runs.hasStarted(4);
    const stopping = task.onApplicationShutdown();
    for (let run = 0; run < 3; run++) runs.end();
    await runs.hasStarted(5);
    runs.end();
    await stopping;
    expect(runs.atOnceMax).toBe(3);
  });

  it('looks for work as seldom while there is none, however many runs it may start', async () => {
    let runs = 0;
    start(() => Promise.resolve({ more: ++runs < 5 }), 60_000, 4);
    await eventually(() => {
      expect(runs).toBe(5);
    });
    await pause(50);
    expect(runs).toBe(5);
    await task.onApplicationShutdown();
  });

  it('continues after a failure, and logs it by name', async () => {
    let runs = 0;
    start(() => (++runs === 1 ? Promise.reject(new Error('no luck')) : Promise.resolve({ more: false })));
    await eventually(() => {
      expect(runs).toBeGreaterThan(2);
    });
    await task.onApplicationShutdown();
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 'error',
        task: 'sweep',
        err: expect.objectContaining({ message: 'no luck' }),
      }),
    ]);
  });

  it('survives a run that throws before it returns a promise', async () => {
    let runs = 0;
    start(() => {
      runs++;
      throw new Error('at once');
    });
    await eventually(() => {
      expect(runs).toBeGreaterThan(1);
    });
    await task.onApplicationShutdown();
  });

  it('runs again at once while there is more to do, then pauses', async () => {
    let runs = 0;
    start(() => Promise.resolve({ more: ++runs < 5 }), 60_000);
    await eventually(() => {
      expect(runs).toBe(5);
    });
    await pause(50);
    expect(runs).toBe(5);
    await task.onApplicationShutdown();
  });

  it('runs one last time at shutdown, after the current run', async () => {
    const runs = new Runs();
    start(runs.run);
    await runs.hasStarted(1);
    let stopped = false;
    const stopping = task.onApplicationShutdown().then(() => (stopped = true));
    await pause(5 * EVERY_MS);
    expect(runs.started).toBe(1);
    runs.end();
    await runs.hasStarted(2);
    expect(stopped).toBe(false);
    runs.end();
    await stopping;
    await pause(5 * EVERY_MS);
    expect(runs.started).toBe(2);
  });

  it('does all due work at shutdown, not only one batch', async () => {
    let left = 0;
    start(() => Promise.resolve({ more: left > 0 && --left > 0 }), 60_000);
    await pause(20);
    left = 3;
    await task.onApplicationShutdown();
    expect(left).toBe(0);
  });

  it('shuts down even if its last run fails', async () => {
    start(() => Promise.reject(new Error('no luck')), 60_000);
    await task.onApplicationShutdown();
    expect(lines.length).toBeGreaterThan(0);
  });
});
