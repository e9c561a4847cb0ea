import { type AlertFilter, type AlertMetric } from './metrics';

/** How mails call what rules watch: as the console does. */
export const metricWords: Readonly<Record<AlertMetric, string>> = {
  spend_nanos: 'Spend',
  request_count: 'Calls',
  error_rate_bps: 'Error rate',
  latency_p95_ms: 'Duration, 95th percentile',
  ttft_p95_ms: 'Time to first byte, 95th percentile',
  wallet_available_nanos: 'Wallet, available',
  wallet_runway_hours: 'Wallet, hours left',
  budget_consumed_bps: 'Budget consumed',
  delivery_failures: 'Failed deliveries in a row',
  circuit_open_seconds: 'Circuits open',
};

export const filterWords: Readonly<Record<keyof AlertFilter, string>> = {
  project_id: 'Project',
  api_key_id: 'Key',
  model: 'Model',
  provider: 'Provider',
  budget_id: 'Budget',
  webhook_endpoint_id: 'Webhook',
  integration_id: 'Integration',
};

/** Why an alert is resolved. */
export const reasonWords: Readonly<Record<string, string>> = {
  recovered: 'Recovered',
  no_data: 'No more data',
  rule_changed: 'Rule changed',
  rule_disabled: 'Rule disabled',
  rule_deleted: 'Rule deleted',
};
