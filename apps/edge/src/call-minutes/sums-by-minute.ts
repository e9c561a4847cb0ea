const MINUTE_MS = 60_000;

/** The key of a sum of a minute, beside its groupings. */
interface SumPlace {
  /** A UUID, of one run of an edge: nobody else writes a row with it. */
  readonly writerId: string;
  /** Unix milliseconds of the start of the UTC minute. */
  readonly minuteMs: number;
}

/**
 * The sums of calls that end with this process, by the minute in which they end. There are at most `sumsMax`: calls beyond
 * them are dropped.
 */
export class SumsByMinute<Sum extends { isWritten: boolean }> {
  private minuteMs = 0;
  private writerId: string;
  /** Of the minute that lasts. */
  private current = new Map<string, Sum>();
  /** Of minutes that are over: nothing is added to these any more. */
  private past: Sum[] = [];

  constructor(
    private readonly sumsMax: number,
    private readonly newWriterId: () => string,
  ) {
    this.writerId = newWriterId();
  }

  /** Those that have changed since they were written, the oldest minute first. */
  changed(): readonly Sum[] {
    return [...this.past, ...this.current.values()].filter(({ isWritten }) => !isWritten);
  }

  /** Frees what was written of minutes that are over. */
  forgetWritten(): void {
    this.past = this.past.filter(({ isWritten }) => !isWritten);
  }

  /** A clock that goes back would begin a minute anew: a new writer leaves alone what was written of it. */
  enter(nowMs: number): void {
    const minuteMs = nowMs - (nowMs % MINUTE_MS);
    if (minuteMs === this.minuteMs) return;
    if (minuteMs < this.minuteMs) this.writerId = this.newWriterId();
    this.minuteMs = minuteMs;
    this.past.push(...this.current.values());
    this.current = new Map();
  }

  /** It has changed. Undefined where there is no room for another one. */
  sumOf(key: string, make: (place: SumPlace) => Sum): Sum | undefined {
    let sum = this.current.get(key);
    if (sum === undefined) {
      if (this.current.size + this.past.length >= this.sumsMax) return undefined;
      sum = make({ writerId: this.writerId, minuteMs: this.minuteMs });
      this.current.set(key, sum);
    }
    sum.isWritten = false;
    return sum;
  }
}
