import {
  type ClaimedDelivery,
  type EndedAttempt,
  type SettledDelivery,
  type WebhookSchedule,
} from '@svc/deliveries/store';
import {
  Counter,
  Gauge,
  gaugeAtScrape,
  Histogram,
  type Logger,
  type Registry,
} from '@svc/runtime/observability';

const ATTEMPT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 10, 60, 600, 3600];

/**
 * Metrics of the deliveries of this process, and of the lag of all dispatchers. No endpoint is a label: customers create
 * as many as they like.
 */
export class DeliveryMetrics {
  private readonly attempts: Counter<'outcome' | 'reason'>;
  private readonly duration: Histogram<'outcome'>;
  private readonly lag: Histogram;
  private readonly ended: Counter<'status'>;
  private readonly disabled: Counter;
  private readonly skew: Gauge;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'svc_webhook_attempts_total',
      help: 'Attempts by how they ended.',
      labelNames: ['outcome', 'reason'],
      registers,
    });
    this.duration = new Histogram({
      name: 'svc_webhook_attempt_duration_seconds',
      help: 'From a claim to the head of the answer.',
      labelNames: ['outcome'],
      buckets: ATTEMPT_SECONDS,
      registers,
    });
    this.lag = new Histogram({
      name: 'svc_webhook_delivery_lag_seconds',
      help: 'From the time a delivery is due to its claim.',
      buckets: LAG_SECONDS,
      registers,
    });
    this.ended = new Counter({
      name: 'svc_webhook_deliveries_ended_total',
      help: 'Deliveries that have no attempt to come.',
      labelNames: ['status'],
      registers,
    });
    this.disabled = new Counter({
      name: 'svc_webhook_endpoints_disabled_total',
      help: 'Endpoints that were disabled after consecutive failures.',
      registers,
    });
    this.skew = new Gauge({
      name: 'svc_webhook_clock_skew_seconds',
      help: 'This machine’s clock, which signatures carry, less the database’s. Receivers refuse 300.',
      registers,
    });
  }

  observeClaim({ dueAt, claimedAt }: ClaimedDelivery, nowMs: number): void {
    this.lag.observe(seconds(claimedAt.getTime() - dueAt.getTime()));
    this.skew.set(seconds(nowMs - claimedAt.getTime()));
  }

  observeEnd(
    { outcome, statusCode, error, durationMs }: EndedAttempt,
    settled: SettledDelivery | null,
  ): void {
    const label = settled === null ? 'void' : outcome;
    this.attempts.inc({ outcome: label, reason: error ?? `http_${String(statusCode).charAt(0)}xx` });
    if (durationMs !== null) this.duration.observe({ outcome: label }, seconds(durationMs));
    if (settled === null) return;
    if (settled.nextAttemptAt === null) this.ended.inc({ status: settled.status });
    if (settled.isReceiverDisabled) this.disabled.inc();
  }

  /** Registers gauges that are read at each scrape. */
  watch(schedule: Pick<WebhookSchedule, 'lag'>, inFlightCount: () => number, logger: Logger): void {
    const { registry } = this;
    const behind = new Gauge({
      name: 'svc_webhook_endpoints_behind',
      help: 'Endpoints that a delivery has been due for longer than so many seconds.',
      labelNames: ['over_seconds'],
      registers: [registry],
    });
    gaugeAtScrape({
      name: 'svc_webhook_queue_age_seconds',
      help: 'How long the delivery has been due that has waited longest for an enabled endpoint.',
      registry,
      logger,
      read: async (gauge) => {
        const { oldestSeconds, receiversBehind } = await schedule.lag();
        gauge.set(oldestSeconds);
        for (const { overSeconds, receiverCount } of receiversBehind) {
          behind.set({ over_seconds: overSeconds }, receiverCount);
        }
      },
    });
    new Gauge({
      name: 'svc_webhook_attempts_in_flight',
      help: 'Attempts of this process under way.',
      registers: [registry],
      collect() {
        this.set(inFlightCount());
      },
    });
  }
}

const seconds = (ms: number): number => Math.max(ms, 0) / 1000;
