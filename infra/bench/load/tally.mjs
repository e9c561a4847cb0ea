import { createHistogram } from 'node:perf_hooks';

const histogram = () => createHistogram({ lowest: 1, highest: 60_000_000_000, figures: 3 });
const record = (into, ms) => into.record(Math.max(1, Math.round(ms * 1e6)));
const PERCENTILES = { p50: 50, p90: 90, p99: 99 };

/** The results of a job, in histograms of three significant figures. */
export class Tally {
  calls = 0;
  /** Includes answers after the end: the candidate worked for them too. */
  answers = 0;
  frames = 0;
  reconnects = 0;
  /** Answers with another status than expected, and the first of them. */
  errors = 0;
  firstError = null;
  /** The answer that aborts the job, because it is missing or incomplete. */
  failure = null;
  #isOpen = false;
  #statuses = {};
  #latency = histogram();
  #firstByte = histogram();
  #gaps = histogram();
  #lateness = histogram();
  #startedAtMs = 0;
  #endedAtMs = 0;

  constructor(job) {
    this.job = job;
    this.expected = new Set(job.expected);
  }

  begin() {
    this.#isOpen = true;
    this.#startedAtMs = performance.now();
  }

  /** Later answers are drained, and not counted. */
  end() {
    this.#isOpen = false;
    this.#endedAtMs = performance.now();
  }

  answered(status, latencyMs, firstByteMs, frames) {
    this.answers++;
    if (!this.#isOpen) return;
    if (!this.expected.has(status)) this.errors++;
    this.calls++;
    this.frames += frames;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    record(this.#latency, latencyMs);
    record(this.#firstByte, firstByteMs);
  }

  gap(ms, frames) {
    record(this.#gaps, ms);
    for (let more = 1; more < frames; more++) record(this.#gaps, 0);
  }

  late(ms) {
    record(this.#lateness, ms);
  }

  /** Called with the start of each body. */
  look(status, bytes) {
    if (this.#isOpen && !this.expected.has(status)) this.firstError ??= `status ${status}: ${bytes}`;
  }

  fail(what) {
    if (this.#isOpen) this.failure ??= what;
  }

  result() {
    const of = (recorded) =>
      recorded.count === 0
        ? null
        : Object.fromEntries(
            Object.entries(PERCENTILES).map(([name, at]) => [name, recorded.percentile(at) / 1e6]),
          );
    return {
      seconds: (this.#endedAtMs - this.#startedAtMs) / 1000,
      calls: this.calls,
      answers: this.answers,
      frames: this.frames,
      statuses: this.#statuses,
      errors: this.errors,
      firstError: this.firstError,
      failure: this.failure,
      reconnects: this.reconnects,
      latencyMs: of(this.#latency),
      firstByteMs: of(this.#firstByte),
      gapMs: of(this.#gaps),
      lateMs: of(this.#lateness),
    };
  }
}
