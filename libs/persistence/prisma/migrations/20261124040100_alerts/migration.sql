-- Alert rules and their alerts (docs/decisions/0033). Instant: the tables are new.

CREATE TABLE alert_rules (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  name TEXT NOT NULL,
  metric TEXT NOT NULL,
  threshold BIGINT NOT NULL,
  window_seconds INTEGER NOT NULL,
  period TEXT,
  filter_project_id TEXT,
  filter_api_key_id TEXT,
  filter_model TEXT,
  filter_provider TEXT,
  filter_budget_id TEXT,
  filter_webhook_endpoint_id TEXT,
  filter_integration_id TEXT,
  min_requests INTEGER NOT NULL,
  for_seconds INTEGER NOT NULL,
  keep_firing_seconds INTEGER NOT NULL,
  repeat_seconds INTEGER,
  severity TEXT NOT NULL,
  notify_roles TEXT[] NOT NULL,
  notify_member_ids TEXT[] NOT NULL,
  enabled BOOLEAN NOT NULL,
  disabled_reason TEXT,
  muted_until TIMESTAMPTZ(3),
  version INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL DEFAULT 'ok',
  observed BIGINT,
  evaluated_at TIMESTAMPTZ(3),
  pending_since TIMESTAMPTZ(3),
  not_held_since TIMESTAMPTZ(3),
  tested_at TIMESTAMPTZ(3)[] NOT NULL DEFAULT '{}',
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT alert_rules_pkey PRIMARY KEY (id),
  CONSTRAINT alert_rules_state_check CHECK (state IN ('ok', 'pending', 'firing', 'no_data')),
  CONSTRAINT alert_rules_pending_check CHECK ((state = 'pending') = (pending_since IS NOT NULL)),
  CONSTRAINT alert_rules_disabled_check CHECK (enabled OR state = 'ok')
);
-- Every tick writes each rule: room for that on its page, so that no index is touched.
ALTER TABLE alert_rules SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX alert_rules_organization_id_id_idx ON alert_rules (organization_id, id DESC);
CREATE INDEX alert_rules_metric_idx ON alert_rules (metric);

CREATE TABLE alerts (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  alert_rule_id TEXT NOT NULL,
  rule JSONB NOT NULL,
  state TEXT NOT NULL DEFAULT 'firing',
  severity TEXT NOT NULL,
  observed BIGINT NOT NULL,
  peak BIGINT NOT NULL,
  period_key TEXT,
  window_started_at TIMESTAMPTZ(3) NOT NULL,
  fired_at TIMESTAMPTZ(3) NOT NULL,
  resolved_at TIMESTAMPTZ(3),
  resolve_reason TEXT,
  acknowledged_by TEXT,
  acknowledged_at TIMESTAMPTZ(3),
  told_count INTEGER NOT NULL DEFAULT 0,
  last_told_at TIMESTAMPTZ(3),
  CONSTRAINT alerts_pkey PRIMARY KEY (id),
  CONSTRAINT alerts_state_check CHECK (state IN ('firing', 'resolved')),
  CONSTRAINT alerts_resolved_check CHECK ((state = 'resolved') = (resolved_at IS NOT NULL AND resolve_reason IS NOT NULL))
);
-- One open alert a rule, whoever evaluates it.
CREATE UNIQUE INDEX alerts_open_key ON alerts (alert_rule_id) WHERE state = 'firing';
CREATE INDEX alerts_organization_id_id_idx ON alerts (organization_id, id);
CREATE INDEX alerts_alert_rule_id_id_idx ON alerts (alert_rule_id, id);
CREATE INDEX alerts_resolved_at_idx ON alerts (resolved_at);

CREATE TABLE alert_ticks (
  metric TEXT NOT NULL,
  due_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  lease_until TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT alert_ticks_pkey PRIMARY KEY (metric)
);
INSERT INTO alert_ticks (metric) VALUES
  ('spend_nanos'), ('request_count'), ('error_rate_bps'), ('latency_p95_ms'), ('ttft_p95_ms'), ('wallet_available_nanos'),
  ('wallet_runway_hours'), ('budget_consumed_bps'), ('delivery_failures'), ('circuit_open_seconds');
