import { type components } from '../../api/generated/management';
import { type Metric } from './metrics';

export type AlertRule = components['schemas']['AlertRule'];
export type NewAlertRule = components['schemas']['NewAlertRule'];
export type Alert = components['schemas']['Alert'];
export type Notification = components['schemas']['AlertNotification'];
export type FilterName = keyof AlertRule['filter'];
export type Role = AlertRule['notify']['roles'][number];
export type Severity = AlertRule['severity'];

const ofCalls: readonly FilterName[] = ['project_id', 'api_key_id', 'model', 'provider'];

/** The filters that each metric takes. */
export const filtersOf: Readonly<Record<Metric, readonly FilterName[]>> = {
  spend_nanos: ofCalls,
  request_count: ofCalls,
  error_rate_bps: ofCalls,
  latency_p95_ms: ofCalls,
  ttft_p95_ms: ofCalls,
  wallet_available_nanos: [],
  wallet_runway_hours: [],
  budget_consumed_bps: ['budget_id'],
  delivery_failures: ['webhook_endpoint_id', 'integration_id'],
  circuit_open_seconds: ['model', 'provider'],
};

const windowed: readonly Metric[] = [
  'spend_nanos',
  'request_count',
  'error_rate_bps',
  'latency_p95_ms',
  'ttft_p95_ms',
];

/** Whether the metric looks back over a window. */
export const hasWindow = (metric: Metric): boolean => windowed.includes(metric);
