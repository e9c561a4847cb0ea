import {
  type ProtobufMetricsSerializer,
  type ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { type HistogramPoint, type Metric, type Period, type SumPoint } from '../metrics/metric';
import { type Span } from '../spans/span';

/** The SDK's forms of spans and metrics, which are what the encoder takes. */
type ReadableSpan = Parameters<(typeof ProtobufTraceSerializer)['serializeRequest']>[0][number];
type ResourceMetrics = Parameters<(typeof ProtobufMetricsSerializer)['serializeRequest']>[0];
type MetricData = ResourceMetrics['scopeMetrics'][number]['metrics'][number];
type HrTime = ReadableSpan['startTime'];

/** Numbers of enumerations of the SDK (`@opentelemetry/api`, `@opentelemetry/sdk-metrics`). */
const CLIENT = 2;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;
const SAMPLED = 1;
const DELTA = 0;
const HISTOGRAM = 0;
const SUM = 3;
const INT = 0;
const DOUBLE = 1;

const resource: ReadableSpan['resource'] = {
  attributes: { 'service.name': 'svc' },
  merge: () => resource,
  getRawAttributes: () => [['service.name', 'svc']],
};
const scope = { name: 'svc' };
const NOTHING = {
  links: [],
  events: [],
  droppedAttributesCount: 0,
  droppedEventsCount: 0,
  droppedLinksCount: 0,
};

export const readableSpans = (spans: readonly Span[]): ReadableSpan[] => spans.map(readableSpan);

function readableSpan(span: Span): ReadableSpan {
  const { traceId, spanId, parentSpanId, startMs, endMs } = span;
  const context = { traceId, spanId, traceFlags: SAMPLED };
  const parent =
    parentSpanId === null
      ? {}
      : { parentSpanContext: { traceId, spanId: parentSpanId, traceFlags: SAMPLED, isRemote: true } };
  return {
    name: span.name,
    // The convention's kind of an inference span.
    kind: CLIENT,
    spanContext: () => context,
    ...parent,
    startTime: hrTime(startMs),
    endTime: hrTime(endMs),
    duration: hrTime(endMs - startMs),
    status: { code: span.hasFailed ? STATUS_ERROR : STATUS_UNSET },
    attributes: { ...span.attributes },
    ...NOTHING,
    ended: true,
    resource,
    instrumentationScope: scope,
  };
}

export const resourceMetricsOf = (metrics: readonly Metric[], period: Period): ResourceMetrics => ({
  resource,
  scopeMetrics: [{ scope, metrics: metrics.map((metric) => metricData(metric, period)) }],
});

function metricData(metric: Metric, { startMs, endMs }: Period): MetricData {
  const { name, description, unit } = metric;
  const times = { startTime: hrTime(startMs), endTime: hrTime(endMs) };
  const base = { aggregationTemporality: DELTA } as const;
  if (metric.kind === 'sum') {
    const dataPoints = metric.points.map((point) => ({ ...times, ...sumPoint(point) }));
    const descriptor = { name, description, unit, valueType: INT };
    return { ...base, descriptor, dataPointType: SUM, isMonotonic: true, dataPoints };
  }
  const dataPoints = metric.points.map((point) => ({ ...times, ...histogramPoint(point) }));
  const descriptor = { name, description, unit, valueType: DOUBLE };
  return { ...base, descriptor, dataPointType: HISTOGRAM, dataPoints };
}

const sumPoint = ({ attributes, value }: SumPoint) => ({ attributes: { ...attributes }, value });

const histogramPoint = ({ attributes, count, sum, bounds, counts }: HistogramPoint) => ({
  attributes: { ...attributes },
  value: {
    buckets: { boundaries: [...bounds], counts: [...counts] },
    count,
    ...(sum === null ? {} : { sum }),
  },
});

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), (ms % 1000) * 1e6];
