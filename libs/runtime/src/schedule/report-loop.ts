interface ReportLoopOptions {
  /** Reports what there is. Must not throw: what it could not report is its own to keep. */
  readonly report: () => Promise<void>;
  /** Milliseconds between reports while nobody asks for one. */
  readonly everyMs: number;
}

/** Reports at once when asked to, and otherwise in an interval; never two at a time. */
export class ReportLoop {
  private timer: NodeJS.Timeout | undefined;
  private reporting: Promise<void> = Promise.resolve();
  private isReporting = false;
  private isAsked = false;
  private isStopped = false;

  constructor(private readonly options: ReportLoopOptions) {}

  start(): void {
    this.reportIn(this.options.everyMs);
  }

  /** Asks for a report after the caller's own turn. What is asked for while one is under way is in the next one. */
  askNow(): void {
    this.isAsked = true;
    this.reportIn(0);
  }

  /** Waits for a report that is under way, and begins no other. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.reporting;
  }

  private reportIn(delayMs: number): void {
    if (this.isStopped || this.isReporting) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isReporting = true;
      this.isAsked = false;
      this.reporting = this.options.report().finally(() => {
        this.isReporting = false;
        this.reportIn(this.isAsked ? 0 : this.options.everyMs);
      });
    }, delayMs).unref();
  }
}
