import { type Clock } from '@svc/kernel';
import { type Logger } from '@svc/runtime/observability';
import {
  encodeMetrics,
  encodeSpans,
  exportOutcome,
  type ExportOutcome,
  type Metric,
  type OtlpRequest,
  type Period,
  rejectedIn,
  type Signal,
  signalUrl,
  type Span,
} from '@svc/telemetry';
import { type WebhookTransport } from '../transport/webhook-transport';
import { type Collector } from './otlp-integrations';

interface CollectorsOptions {
  readonly transport: Pick<WebhookTransport, 'exchange'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Spans and points that a collector rejected of a request that it took. */
  readonly onRejected: (signal: Signal, count: number) => void;
}

const USER_AGENT = 'Svc-OTLP/1.0';

/** Sends telemetry to collectors over OTLP/HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
export class Collectors {
  constructor(private readonly options: CollectorsOptions) {}

  /** Never throws. @param failures in a row before this one. */
  async sendSpans(collector: Collector, spans: readonly Span[], failures: number): Promise<ExportOutcome> {
    return this.send(collector, 'traces', failures, () => encodeSpans(spans, collector.encoding));
  }

  /** Never throws. @param failures in a row before this one. */
  async sendMetrics(
    collector: Collector,
    metrics: readonly Metric[],
    period: Period,
    failures: number,
  ): Promise<ExportOutcome> {
    return this.send(collector, 'metrics', failures, () =>
      encodeMetrics(metrics, period, collector.encoding),
    );
  }

  private async send(
    collector: Collector,
    signal: Signal,
    failures: number,
    encode: () => Promise<OtlpRequest>,
  ): Promise<ExportOutcome> {
    const { transport, clock, random, logger } = this.options;
    const line = { integration_id: collector.id, organization_id: collector.organizationId, signal };
    try {
      const request = await encode();
      const answer = await transport.exchange({
        url: signalUrl(collector.url, signal),
        headers: headersOf(collector, request),
        body: request.body,
      });
      const answered =
        'error' in answer
          ? { statusCode: null, retryAfter: null, isForbidden: answer.error === 'blocked_address' }
          : { ...answer, isForbidden: false };
      const outcome = exportOutcome(answered, failures + 1, random(), clock.now());
      if (outcome.kind === 'taken' && 'body' in answer)
        await this.countRejected(collector, signal, answer.body);
      const level = outcome.kind === 'taken' ? 'debug' : 'info';
      const error = 'error' in answer ? answer.error : null;
      logger[level](
        { ...line, outcome: outcome.kind, status_code: answered.statusCode, error },
        'telemetry export',
      );
      return outcome;
    } catch (err) {
      // Ours: what cannot be encoded or sent now cannot be later.
      logger.error({ ...line, err }, 'telemetry not sent');
      return { kind: 'refused' };
    }
  }

  /** A partial success must not be sent again. */
  private async countRejected({ encoding }: Collector, signal: Signal, body: Buffer): Promise<void> {
    const count = await rejectedIn(signal, encoding, body);
    if (count > 0) this.options.onRejected(signal, count);
  }
}

/** Headers of the customer come first: they cannot replace what the protocol needs. */
const headersOf = (
  { headers }: Collector,
  { contentType }: OtlpRequest,
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  'content-type': contentType,
  'user-agent': USER_AGENT,
  'accept-encoding': 'identity',
});
