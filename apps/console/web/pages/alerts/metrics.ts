import { type components } from '../../api/generated/management';

type AlertRule = components['schemas']['AlertRule'];
export type Metric = AlertRule['metric'];
export type FilterName = keyof AlertRule['filter'];

interface MetricFacts {
  readonly words: string;
  /** The unit that people type and read; the API counts in whole small units. */
  readonly unit: 'dollars' | 'percent' | 'milliseconds' | 'hours' | 'seconds' | 'count';
  /** The filters that it takes. */
  readonly filters: readonly FilterName[];
  /** Whether it looks back over a window. */
  readonly hasWindow?: true;
  /** Whether it fires at the threshold and below. */
  readonly isLow?: true;
}

const ofCalls = { filters: ['project_id', 'api_key_id', 'model', 'provider'], hasWindow: true } as const;

/** Facts of each metric of the API, in the order in which the form offers them (docs/reference/alerts.md#metrics). */
export const metricFacts: Readonly<Record<Metric, MetricFacts>> = {
  spend_nanos: { words: 'Spend', unit: 'dollars', ...ofCalls },
  request_count: { words: 'Calls', unit: 'count', ...ofCalls },
  error_rate_bps: { words: 'Error rate', unit: 'percent', ...ofCalls },
  latency_p95_ms: { words: 'Duration, 95th percentile', unit: 'milliseconds', ...ofCalls },
  ttft_p95_ms: { words: 'Time to first byte, 95th percentile', unit: 'milliseconds', ...ofCalls },
  wallet_available_nanos: { words: 'Wallet, available', unit: 'dollars', filters: [], isLow: true },
  wallet_runway_hours: { words: 'Wallet, hours left', unit: 'hours', filters: [], isLow: true },
  budget_consumed_bps: { words: 'Budget consumed', unit: 'percent', filters: ['budget_id'] },
  delivery_failures: {
    words: 'Failed deliveries in a row',
    unit: 'count',
    filters: ['webhook_endpoint_id', 'integration_id'],
  },
  circuit_open_seconds: { words: 'Circuits open', unit: 'seconds', filters: ['model', 'provider'] },
};

export const metrics = Object.keys(metricFacts) as readonly Metric[];
export const metricWords = Object.fromEntries(
  metrics.map((metric) => [metric, metricFacts[metric].words]),
) as Readonly<Record<Metric, string>>;

/** Whether the metric looks back over a window. */
export const hasWindow = (metric: Metric): boolean => metricFacts[metric].hasWindow === true;
