/** What a rule can watch (docs/reference/alerts.md#metrics). */
export const metrics = [
  'spend_nanos',
  'request_count',
  'error_rate_bps',
  'latency_p95_ms',
  'ttft_p95_ms',
  'wallet_available_nanos',
  'wallet_runway_hours',
  'budget_consumed_bps',
  'delivery_failures',
  'circuit_open_seconds',
] as const;
export type Metric = (typeof metrics)[number];
