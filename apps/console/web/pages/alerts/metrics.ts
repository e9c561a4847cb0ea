import { alertMetricRules, isOfCalls } from '@svc/alerts';
import { type components } from '../../api/generated/management';

type AlertRule = components['schemas']['AlertRule'];
export type Metric = AlertRule['metric'];
export type FilterName = keyof AlertRule['filter'];

type MetricRules = typeof alertMetricRules;
/** The API counts in these; people type and read dollars and per cent instead of the first two. */
export type Unit = MetricRules[Metric]['unit'];

/** Facts of each metric of the API, in the order in which the form offers them (docs/reference/alerts.md#metrics). */
export const metricFacts: Readonly<
  Record<Metric, Omit<MetricRules[Metric], 'filters'> & { readonly filters: readonly FilterName[] }>
> = alertMetricRules;

export const metrics = Object.keys(metricFacts) as readonly Metric[];
export const metricWords = Object.fromEntries(
  metrics.map((metric) => [metric, metricFacts[metric].words]),
) as Readonly<Record<Metric, string>>;

/** Whether the metric looks back over a window. */
export const hasWindow: (metric: Metric) => boolean = isOfCalls;
