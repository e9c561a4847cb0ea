import { type Logger } from '../observability/logger';

export interface TaskOptions {
  readonly name: string;
  /** Pause between the end of one run and the start of the next; with `runsMax`, between the starts of two runs. */
  readonly everyMs: number;
  /** The most runs at a time, default 1. A further run starts beside one that takes longer than `everyMs`. */
  readonly runsMax?: number;
  readonly logger: Logger;
  /** Asked before a run, which false saves. Not before a run that is asked for, nor at shutdown. */
  readonly isDue?: () => Promise<boolean>;
  /** Does the due work. `more` asks for another run at once, because work is left. */
  run(): Promise<{ readonly more: boolean }>;
}

/**
 * Runs a task repeatedly while the service runs, never more than `runsMax` times concurrently, and continues after
 * failures. At shutdown it runs until no due work is left. Nest calls the hooks by their names.
 */
export class RepeatingTask {
  private timer: NodeJS.Timeout | undefined;
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(private readonly options: TaskOptions) {}

  onApplicationBootstrap(): void {
    this.schedule(0);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.all(this.running);
    while (await this.runOnce());
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.start(delayMs > 0);
    }, delayMs);
  }

  /** @param asks whether there is due work. */
  private start(asks: boolean): void {
    const { everyMs, runsMax = 1 } = this.options;
    const run = this.runOnce(asks).then((more) => {
      this.running.delete(run);
      if (this.stopped) return;
      if (more) this.schedule(0);
      else if (this.timer === undefined) this.schedule(everyMs);
    });
    this.running.add(run);
    if (this.running.size < runsMax) this.schedule(everyMs);
  }

  private async runOnce(asks = false): Promise<boolean> {
    const { name, logger, run, isDue } = this.options;
    try {
      if (asks && isDue !== undefined && !(await isDue())) return false;
      return (await run()).more;
    } catch (error) {
      logger.error({ task: name, err: error }, 'task failed; it will be tried again');
      return false;
    }
  }
}
