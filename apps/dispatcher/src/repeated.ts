import { type Logger } from '@svc/platform';

export interface RepeatedWork {
  readonly name: string;
  /** Pause between the end of one run and the start of the next. */
  readonly everyMs: number;
  readonly logger: Logger;
  /** `more` asks to be run again at once. */
  run(): Promise<{ readonly more: boolean }>;
}

/** Runs, never twice at a time and on through failures, until it is stopped. */
export class Repeated {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly work: RepeatedWork) {}

  start(delayMs = 0): void {
    this.timer = setTimeout(() => {
      this.running = this.runOnce().then((more) => {
        if (!this.isStopped) this.start(more ? 0 : this.work.everyMs);
      });
    }, delayMs);
  }

  /** Resolves when the run under way has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async runOnce(): Promise<boolean> {
    const { name, logger, run } = this.work;
    try {
      return (await run()).more;
    } catch (error) {
      logger.warn({ task: name, err: error }, 'task failed; it will be tried again');
      return false;
    }
  }
}
