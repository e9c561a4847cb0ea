/** Filters of the observation of a rule, as the API names them. */
export const alertFilterFields = [
  'project_id',
  'api_key_id',
  'model',
  'provider',
  'budget_id',
  'webhook_endpoint_id',
  'integration_id',
] as const;
type AlertFilterField = (typeof alertFilterFields)[number];
export type AlertFilter = Readonly<Record<AlertFilterField, string | null>>;

/** How an observation is written for people. */
type Unit = 'nanos' | 'count' | 'bps' | 'ms' | 'hours' | 'seconds';

interface AlertMetricRule {
  /** How mails call it: as the console does. */
  readonly words: string;
  readonly unit: Unit;
  /** `low`: it fires at the threshold and below, else at the threshold and above. */
  readonly firesWhen: 'high' | 'low';
  readonly filters: readonly AlertFilterField[];
  /** The time that it looks back over: the rule's window, a day of its own, or nothing but the present. */
  readonly span: 'window' | 'day' | 'present';
}

/** Calls are summed over the window. */
const ofCalls = {
  firesWhen: 'high',
  filters: ['project_id', 'api_key_id', 'model', 'provider'],
  span: 'window',
} as const;

const ofPresent = { firesWhen: 'high', filters: [], span: 'present' } as const;

/** Every metric (docs/reference/alerts.md#metrics). */
export const alertMetricRules = {
  spend_nanos: { words: 'Spend', unit: 'nanos', ...ofCalls },
  request_count: { words: 'Calls', unit: 'count', ...ofCalls },
  error_rate_bps: { words: 'Error rate', unit: 'bps', ...ofCalls },
  latency_p95_ms: { words: 'Duration, 95th percentile', unit: 'ms', ...ofCalls },
  ttft_p95_ms: { words: 'Time to first byte, 95th percentile', unit: 'ms', ...ofCalls },
  wallet_available_nanos: { words: 'Wallet, available', unit: 'nanos', ...ofPresent, firesWhen: 'low' },
  wallet_runway_hours: {
    words: 'Wallet, hours left',
    unit: 'hours',
    firesWhen: 'low',
    filters: [],
    span: 'day',
  },
  budget_consumed_bps: { words: 'Budget consumed', unit: 'bps', ...ofPresent, filters: ['budget_id'] },
  delivery_failures: {
    words: 'Failed deliveries in a row',
    unit: 'count',
    ...ofPresent,
    filters: ['webhook_endpoint_id', 'integration_id'],
  },
  circuit_open_seconds: {
    words: 'Circuits open',
    unit: 'seconds',
    ...ofPresent,
    filters: ['model', 'provider'],
  },
} as const satisfies Record<string, AlertMetricRule>;

export type AlertMetric = keyof typeof alertMetricRules;
export const alertMetrics = Object.keys(alertMetricRules) as readonly AlertMetric[];

/** Whether it sums calls, and takes their filters. */
export const isOfCalls = (metric: AlertMetric): boolean => alertMetricRules[metric].span === 'window';

/** The part of a rule that says what is watched. */
export interface Watch {
  readonly metric: AlertMetric;
  /** A UTC day or calendar month instead of the window; for `spend_nanos` only. */
  readonly period: 'day' | 'month' | null;
  readonly filter: AlertFilter;
}

interface WatchProblem {
  /** The field, by its path. */
  readonly param: string;
  readonly message: string;
}

/** The problem of a rule's metric, period and filter together. Null if nothing is. */
export function problemOfWatch({ metric, period, filter }: Watch): WatchProblem | null {
  if (period !== null && metric !== 'spend_nanos') {
    return { param: 'period', message: 'only spend_nanos has a period' };
  }
  const taken: readonly AlertFilterField[] = alertMetricRules[metric].filters;
  const foreign = alertFilterFields.find((field) => filter[field] !== null && !taken.includes(field));
  if (foreign !== undefined) {
    return { param: `filter.${foreign}`, message: `${metric} does not take this filter` };
  }
  if (metric === 'circuit_open_seconds' && filter.model === null && filter.provider === null) {
    return { param: 'filter', message: 'circuit_open_seconds needs a model or a provider' };
  }
  if (filter.webhook_endpoint_id !== null && filter.integration_id !== null) {
    return { param: 'filter.integration_id', message: 'name an endpoint or an integration, not both' };
  }
  return null;
}

/** When the span of an observation begins that is made at `atMs`, in Unix milliseconds. */
export function spanStartMs(
  { metric, period, windowSeconds }: Pick<Watch, 'metric' | 'period'> & { readonly windowSeconds: number },
  atMs: number,
): number {
  const at = new Date(atMs);
  if (period === 'day') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  if (period === 'month') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  const lengths = { window: windowSeconds * 1_000, day: 86_400_000, present: 0 };
  const { span } = alertMetricRules[metric];
  // Calls are summed by the minute, so a span of calls begins with one.
  return span === 'present' ? atMs : Math.floor((atMs - lengths[span]) / 60_000) * 60_000;
}
