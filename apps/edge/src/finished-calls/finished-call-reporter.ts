import { setTimeout as wait } from 'node:timers/promises';
import { type Clock } from '@svc/kernel';
import { type CallClient, type CallRecord } from '@svc/messaging';
import { WriteBehind } from '@svc/runtime';
import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { writeFinishedCall, type FinishedCall } from '@svc/telemetry';
import { type InferenceCall } from '../call/inference-call';
import { type CallCharges } from '../call-minutes/call-sum';
import { type CallOutcome } from '../settlement/settle-call';
import { finishedCallOf } from './finished-call-of';
import { type TracedOrganizations } from './traced-organizations';

/** Calls in memory. About 6 MB, where Kafka is away. */
const CALLS_MAX = 10_000;
/** Under a megabyte, which brokers take at a time. */
const BATCH_CALLS = 500;
const HAND_OVER_EVERY_MS = 500;
const DRAIN_MS = 5_000;

interface FinishedCallReporterOptions {
  readonly organizations: Pick<TracedOrganizations, 'has'>;
  /** Null: this process has nowhere to hand calls over to. */
  readonly client: CallClient | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly callsMax?: number;
  /** How long a shutdown waits for Kafka. */
  readonly drainMs?: number;
}

/**
 * Hands finished calls over to the dispatcher, beside the path of calls: those of organizations that have them told to a
 * collector. What cannot be handed over is dropped and counted (docs/decisions/0043).
 */
export class FinishedCallReporter {
  private waiting: FinishedCall[] = [];
  private readonly dropped: Counter;
  private readonly behind: WriteBehind;

  constructor(private readonly options: FinishedCallReporterOptions) {
    this.dropped = new Counter({
      name: 'svc_finished_calls_dropped_total',
      help: 'Calls that no collector is told of, because Kafka did not take them in time.',
      registers: [options.metrics],
    });
    this.behind = new WriteBehind({
      what: 'finished calls',
      logger: options.logger,
      delayMs: () => HAND_OVER_EVERY_MS,
      isWaiting: () => this.waiting.length > 0,
      write: () => this.handOver(),
    });
  }

  /** Costs a look into a set, and for a traced organization one object. Never waits. */
  note(outcome: CallOutcome, charges: CallCharges, call: InferenceCall): void {
    const { organizations, client, clock, callsMax = CALLS_MAX } = this.options;
    if (client === null || !organizations.has(outcome.organizationId)) return;
    if (this.waiting.length >= callsMax || this.behind.isStopped) return void this.dropped.inc();
    this.waiting.push(finishedCallOf(outcome, charges, call, clock.now()));
    this.behind.wake();
  }

  /** Hands over what is left, if it is taken in time. */
  async stop(): Promise<void> {
    const done = new AbortController();
    const { drainMs = DRAIN_MS } = this.options;
    const late = wait(drainMs, undefined, { signal: done.signal }).catch(() => undefined);
    await Promise.race([this.behind.stop().then(() => this.close()), late]);
    done.abort();
  }

  /** Never throws. While it runs, further calls wait: they are the next ones. */
  private async handOver(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_CALLS);
      try {
        await this.options.client?.handOver(batch.map(recordOf));
      } catch (error) {
        this.dropped.inc(batch.length);
        this.options.logger.warn({ err: error, calls: batch.length }, 'finished calls not handed over');
      }
    }
  }

  private async close(): Promise<void> {
    await this.options.client?.close().catch(() => undefined);
  }
}

const recordOf = (call: FinishedCall): CallRecord => ({
  organizationId: call.organizationId,
  payload: writeFinishedCall(call),
});
