const CAPACITY = 1000;

/** One ended call to the simulated provider, including unknown paths; never its contents. */
export interface JournalEntry {
  /** ISO 8601 UTC: when the head of the call arrived. */
  readonly at: string;
  readonly path: string;
  /** Null when the body could not be read that far. */
  readonly model: string | null;
  readonly stream: boolean;
  /** Names of the directive's fields. */
  readonly directive: readonly string[];
  /** Bytes of the received body; 0 when no body is read. */
  readonly bytes: number;
  /** Null when the connection ended before the head of an answer. */
  readonly status: number | null;
  /** Interrupted: by the client or a directive, before the clean end of the answer. */
  readonly outcome: 'delivered' | 'interrupted';
  readonly authorization: 'present' | 'absent';
}

/** Counted since the start, or since the journal was cleared. */
interface JournalCounters {
  readonly received: number;
  readonly delivered: number;
  readonly interrupted: number;
  /** Received and not ended yet. */
  readonly in_flight: number;
}

/** The calls that reached the simulator: the last 1,000, oldest first, and counters over all. */
export interface Journal {
  entries(): readonly JournalEntry[];
  counters(): JournalCounters;
  clear(): void;
}

export class CallJournal implements Journal {
  private kept: JournalEntry[] = [];
  private delivered = 0;
  private interrupted = 0;
  private inFlight = 0;
  private generation = 0;

  /** Counts a call. @returns a function that records its end. */
  open(): (entry: JournalEntry) => void {
    const { generation } = this;
    this.inFlight++;
    return (entry) => {
      // A call that began before the journal was cleared is not recorded.
      if (generation !== this.generation) return;
      this.inFlight--;
      this[entry.outcome]++;
      this.kept.push(entry);
      if (this.kept.length > CAPACITY) this.kept.shift();
    };
  }

  entries(): readonly JournalEntry[] {
    return [...this.kept];
  }

  counters(): JournalCounters {
    const { delivered, interrupted, inFlight } = this;
    return { received: delivered + interrupted + inFlight, delivered, interrupted, in_flight: inFlight };
  }

  clear(): void {
    this.generation++;
    this.kept = [];
    this.delivered = this.interrupted = this.inFlight = 0;
  }
}
