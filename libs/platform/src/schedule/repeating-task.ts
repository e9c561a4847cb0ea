import { type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Logger } from '../observability/logger';

interface TaskOptions {
  readonly name: string;
  /** Pause between the end of one run and the start of the next. */
  readonly everyMs: number;
  readonly logger: Logger;
  /** Does the due work. `more` asks for another run at once, because work is left. */
  run(): Promise<{ readonly more: boolean }>;
}

/**
 * Runs a task repeatedly while the service runs, never twice concurrently, and continues after failures. At shutdown it
 * runs until no due work is left.
 */
export class RepeatingTask implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly options: TaskOptions) {}

  onApplicationBootstrap(): void {
    this.schedule(0);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
    while (await this.runOnce());
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.runOnce().then((more) => {
        if (!this.stopped) this.schedule(more ? 0 : this.options.everyMs);
      });
    }, delayMs);
  }

  private async runOnce(): Promise<boolean> {
    const { name, logger, run } = this.options;
    try {
      return (await run()).more;
    } catch (error) {
      logger.error({ task: name, err: error }, 'task failed; it will be tried again');
      return false;
    }
  }
}
