import { type OnApplicationShutdown } from '@nestjs/common';
import { type ClaimedMinute, type OtlpMetricCursors } from '@svc/deliveries/store';
import { Counter, type Registry } from '@svc/runtime/observability';
import { type ExportOutcome, minuteMetrics, type MinuteSum, type Span } from '@svc/telemetry';
import { type Collectors } from './collectors';
import { Exporter } from './exporter';
import { type HealthNotes } from './health-notes';
import { type Collector, type OtlpIntegrations } from './otlp-integrations';
import { TelemetryExports } from './telemetry-exports';

interface TelemetryOptions {
  readonly integrations: Pick<OtlpIntegrations, 'of' | 'current'>;
  readonly collectors: Pick<Collectors, 'sendSpans' | 'sendMetrics'>;
  readonly cursors: Pick<OtlpMetricCursors, 'claim'>;
  /** The sums of an organization's calls in a minute. */
  readonly sumsOf: (organizationId: string, minuteMs: number) => Promise<readonly MinuteSum[]>;
  readonly health: Pick<HealthNotes, 'note'>;
  readonly metrics: Registry;
  readonly lingerMs?: number;
  readonly drainMs?: number;
}

/** A part of a minute's sums, as one request carries it. */
interface MetricsPart {
  readonly minuteMs: number;
  readonly sums: readonly MinuteSum[];
}

const BATCH_SPANS = 512;
const LINGER_MS = 5_000;
/** Of one integration. */
const SPANS_WAITING_MAX = 10_000;
/** Of all integrations in this process: about 100 MB. */
const ALL_SPANS_WAITING_MAX = 200_000;
/** About half a megabyte. */
const PART_SUMS = 200;
const PARTS_WAITING_MAX = 10;
const ALL_PARTS_WAITING_MAX = 200;
const MINUTES_AT_A_TIME = 50;
const MINUTE_MS = 60_000;

const GONE: ExportOutcome = { kind: 'refused' };

/** Sends spans and metrics to the collectors of organizations (docs/decisions/0043). */
export class Telemetry implements OnApplicationShutdown {
  private readonly spans: TelemetryExports<Span>;
  private readonly parts: TelemetryExports<MetricsPart>;
  private adding: Promise<unknown> = Promise.resolve();
  private isStopping = false;

  constructor(private readonly options: TelemetryOptions) {
    const { metrics, drainMs } = options;
    const drain = drainMs === undefined ? {} : { drainMs };
    const spansDropped = new Counter({
      name: 'svc_otlp_spans_dropped_total',
      help: 'Spans that their collector did not take: too many waited, or it refused them.',
      registers: [metrics],
    });
    const partsDropped = new Counter({
      name: 'svc_otlp_metrics_dropped_total',
      help: 'Requests with metrics of a minute that their collector did not take.',
      registers: [metrics],
    });
    this.spans = new TelemetryExports({
      newExporter: (organizationId, id) =>
        this.spanExporter(organizationId, id, (count) => spansDropped.inc(count)),
      waitingMax: ALL_SPANS_WAITING_MAX,
      ...drain,
    });
    this.parts = new TelemetryExports({
      newExporter: (organizationId, id) =>
        this.metricsExporter(organizationId, id, (count) => partsDropped.inc(count)),
      waitingMax: ALL_PARTS_WAITING_MAX,
      ...drain,
    });
  }

  /** For each collector of the organization. Resolves when the span waits: it is not sent yet. */
  async addSpan(organizationId: string, span: Span): Promise<void> {
    for (const { id, signals } of await this.options.integrations.of(organizationId)) {
      if (signals.includes('traces')) this.spans.add(organizationId, id, span);
    }
  }

  /** Claims minutes that are over, and lets their metrics be sent. */
  async sendMinutes(): Promise<{ readonly more: boolean }> {
    if (this.isStopping) return { more: false };
    this.spans.forgetIdle();
    this.parts.forgetIdle();
    const adding = this.addMinutes();
    this.adding = adding.catch(() => undefined);
    return { more: (await adding) === MINUTES_AT_A_TIME };
  }

  /** Sends what waits, in bounded time. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.adding;
    await Promise.all([this.spans.drain(), this.parts.drain()]);
  }

  /** @returns how many were claimed. */
  private async addMinutes(): Promise<number> {
    const claimed = await this.options.cursors.claim(MINUTES_AT_A_TIME);
    for (const minute of claimed) await this.addMinute(minute);
    return claimed.length;
  }

  private async addMinute({ integrationId, organizationId, minuteMs }: ClaimedMinute): Promise<void> {
    const sums = await this.options.sumsOf(organizationId, minuteMs);
    for (let at = 0; at < sums.length; at += PART_SUMS) {
      this.parts.add(organizationId, integrationId, { minuteMs, sums: sums.slice(at, at + PART_SUMS) });
    }
  }

  private spanExporter(
    organizationId: string,
    id: string,
    onDropped: (count: number) => void,
  ): Exporter<Span> {
    return new Exporter({
      waitingMax: SPANS_WAITING_MAX,
      batchMax: BATCH_SPANS,
      lingerMs: this.options.lingerMs ?? LINGER_MS,
      send: (batch, failures) =>
        this.sendTo(organizationId, id, (to) => this.options.collectors.sendSpans(to, batch, failures)),
      onDropped,
    });
  }

  private metricsExporter(organizationId: string, id: string, onDropped: (count: number) => void) {
    return new Exporter<MetricsPart>({
      waitingMax: PARTS_WAITING_MAX,
      batchMax: 1,
      lingerMs: 0,
      send: ([part], failures) =>
        this.sendTo(organizationId, id, (to) => this.sendPart(to, part as MetricsPart, failures)),
      onDropped,
    });
  }

  private sendPart(to: Collector, { minuteMs, sums }: MetricsPart, failures: number): Promise<ExportOutcome> {
    const period = { startMs: minuteMs, endMs: minuteMs + MINUTE_MS };
    return this.options.collectors.sendMetrics(to, minuteMetrics(sums), period, failures);
  }

  /** To the integration as it is now. What waits for one that was paused or deleted is dropped. */
  private async sendTo(
    organizationId: string,
    id: string,
    send: (collector: Collector) => Promise<ExportOutcome>,
  ): Promise<ExportOutcome> {
    const { integrations, health } = this.options;
    const collector = await integrations.current(organizationId, id);
    if (collector === null) return GONE;
    const outcome = await send(collector);
    await health.note(id, outcome.kind === 'taken' ? 'acknowledged' : 'failed');
    return outcome;
  }
}
