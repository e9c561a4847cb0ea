import { Counter, Gauge, Histogram, type Registry } from '@svc/runtime/observability';
import { type Operation } from '@svc/protocol';
import { type CallFacts } from '../call/inference-call';

interface CallTimes {
  readonly durationMs: number;
  /** Until the first byte of an answer went out; null when none did. */
  readonly begunAfterMs: number | null;
}

const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const OVERHEAD_SECONDS = [0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576];

const NANOS_IN_USD = 1e9;

type BoundHistogram = Pick<Histogram.Internal<string>, 'observe'>;
type BoundCounter = Pick<Counter.Internal, 'inc'>;

interface EndingSeries {
  readonly calls: BoundCounter;
  readonly overhead: BoundHistogram;
}

interface CallSeries {
  readonly duration: BoundHistogram;
  readonly timeToFirstToken: BoundHistogram;
  readonly inputTokens: BoundHistogram;
  readonly outputTokens: BoundHistogram;
  readonly cost: BoundCounter;
}

const labelNames = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'] as const;

/**
 * Metrics of a process's inference calls, under OpenTelemetry's names for generative AI in Prometheus's spelling, and the
 * gateway's own share of the time. A model becomes a label only once a provider was called for it: a name that a caller
 * made up creates no series.
 */
export class CallMetrics {
  private readonly calls: Counter<'gen_ai_operation_name' | 'outcome' | 'error_type'>;
  private readonly duration: Histogram<(typeof labelNames)[number]>;
  private readonly timeToFirstToken: Histogram<(typeof labelNames)[number]>;
  private readonly tokenUsage: Histogram<(typeof labelNames)[number] | 'gen_ai_token_type'>;
  private readonly cost: Counter<'gen_ai_provider_name' | 'gen_ai_request_model'>;
  private readonly overhead: Histogram<'gen_ai_operation_name'>;

  /** Series bound to their labels: binding them for each call costs more than what is observed. */
  private readonly endings = new Map<string, EndingSeries>();
  private readonly series = new Map<string, CallSeries>();

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.calls = new Counter({
      name: 'svc_inference_calls_total',
      help: 'Inference calls by how they ended.',
      labelNames: ['gen_ai_operation_name', 'outcome', 'error_type'],
      registers,
    });
    this.duration = new Histogram({
      name: 'gen_ai_server_request_duration_seconds',
      help: 'From a call’s arrival to the end of its answer.',
      labelNames,
      buckets: CALL_SECONDS,
      registers,
    });
    this.timeToFirstToken = new Histogram({
      name: 'gen_ai_server_time_to_first_token_seconds',
      help: 'From a call’s arrival to the first part of its answer from a provider.',
      labelNames,
      buckets: CALL_SECONDS,
      registers,
    });
    this.tokenUsage = new Histogram({
      name: 'gen_ai_client_token_usage',
      help: 'Tokens of a call, input and output.',
      labelNames: [...labelNames, 'gen_ai_token_type'],
      buckets: TOKENS,
      registers,
    });
    this.cost = new Counter({
      name: 'svc_inference_cost_usd_total',
      help: 'What customers were charged for calls, in US dollars. The ledger has the exact amounts.',
      labelNames: ['gen_ai_provider_name', 'gen_ai_request_model'],
      registers,
    });
    this.overhead = new Histogram({
      name: 'svc_inference_overhead_seconds',
      help: 'From a call’s arrival to the first byte of its answer, less the time spent waiting for providers.',
      labelNames: ['gen_ai_operation_name'],
      buckets: OVERHEAD_SECONDS,
      registers,
    });
  }

  /** Registers a gauge that is read at each scrape. */
  watch(inFlightCount: () => number): void {
    new Gauge({
      name: 'svc_inference_calls_in_flight',
      help: 'Calls of this process that have begun and not ended, countings of tokens among them.',
      registers: [this.registry],
      collect() {
        this.set(inFlightCount());
      },
    });
  }

  observe(operation: Operation, facts: Partial<CallFacts>, { durationMs, begunAfterMs }: CallTimes): void {
    const ending = this.endingOf(operation, facts.outcome ?? 'refused', facts.error_code ?? '');
    ending.calls.inc();
    if (facts.upstream_ms === undefined) return;
    if (begunAfterMs !== null) {
      ending.overhead.observe(seconds(Math.max(0, begunAfterMs - facts.upstream_ms)));
    }
    const series = this.seriesOf(operation, facts.provider ?? '', facts.model ?? '');
    series.duration.observe(seconds(durationMs));
    if (facts.customer_nanos) series.cost.inc(facts.customer_nanos / NANOS_IN_USD);
    if (facts.ttft_ms != null) series.timeToFirstToken.observe(seconds(facts.ttft_ms));
    if (facts.input_tokens !== undefined) series.inputTokens.observe(facts.input_tokens);
    if (facts.output_tokens !== undefined) series.outputTokens.observe(facts.output_tokens);
  }

  private endingOf(operation: Operation, outcome: string, errorType: string): EndingSeries {
    return remembered(this.endings, `${operation} ${outcome} ${errorType}`, () => {
      const gen_ai_operation_name = operation;
      return {
        calls: this.calls.labels({ gen_ai_operation_name, outcome, error_type: errorType }),
        overhead: this.overhead.labels({ gen_ai_operation_name }),
      };
    });
  }

  private seriesOf(operation: Operation, provider: string, model: string): CallSeries {
    return remembered(this.series, `${operation} ${provider} ${model}`, () => {
      const names = { gen_ai_provider_name: provider, gen_ai_request_model: model };
      const labels = { gen_ai_operation_name: operation, ...names };
      return {
        duration: this.duration.labels(labels),
        timeToFirstToken: this.timeToFirstToken.labels(labels),
        inputTokens: this.tokenUsage.labels({ ...labels, gen_ai_token_type: 'input' }),
        outputTokens: this.tokenUsage.labels({ ...labels, gen_ai_token_type: 'output' }),
        cost: this.cost.labels(names),
      };
    });
  }
}

function remembered<T>(series: Map<string, T>, key: string, bind: () => T): T {
  let found = series.get(key);
  if (found === undefined) {
    found = bind();
    series.set(key, found);
  }
  return found;
}

const seconds = (ms: number): number => ms / 1000;
