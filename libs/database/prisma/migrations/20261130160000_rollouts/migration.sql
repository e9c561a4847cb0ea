-- Shares of a model's calls that the policy moves elsewhere.
CREATE TABLE rollouts (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  name TEXT NOT NULL,
  model TEXT NOT NULL,
  target JSONB NOT NULL,
  share_bps INTEGER NOT NULL CHECK (share_bps BETWEEN 0 AND 10000),
  subject TEXT NOT NULL CHECK (subject IN ('end_user', 'session', 'api_key')),
  ends_at TIMESTAMPTZ(3),
  max_error_rate_bps INTEGER CHECK (max_error_rate_bps BETWEEN 1 AND 10000),
  max_ttft_p95_ms INTEGER CHECK (max_ttft_p95_ms > 0),
  min_calls INTEGER NOT NULL CHECK (min_calls BETWEEN 1 AND 100000),
  state TEXT NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'aborted', 'completed', 'removed')),
  reason TEXT CHECK (reason IN ('error_rate', 'latency', 'user', 'ended')),
  started_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at TIMESTAMPTZ(3),
  due_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_until TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT rollouts_end_check CHECK ((state = 'running') = (ended_at IS NULL) AND (state = 'running') = (due_at IS NOT NULL)),
  CONSTRAINT rollouts_reason_of_state_check CHECK ((reason IS NOT NULL) = (state IN ('aborted', 'completed')))
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX rollouts_organization_id_name_key ON rollouts (organization_id, name);
CREATE INDEX rollouts_due ON rollouts (due_at) WHERE due_at IS NOT NULL;

-- What edges add up of the calls of rollouts, beside call_minutes.
CREATE TABLE rollout_minutes (
  rollout_id TEXT NOT NULL,
  minute TIMESTAMPTZ(0) NOT NULL,
  arm TEXT NOT NULL CHECK (arm IN ('treatment', 'control')),
  writer_id UUID NOT NULL,
  calls INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_input_tokens BIGINT NOT NULL,
  cache_write_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  customer_nanos BIGINT NOT NULL,
  provider_nanos BIGINT NOT NULL,
  duration_bounds SMALLINT[] NOT NULL,
  duration_counts INTEGER[] NOT NULL,
  ttft_bounds SMALLINT[] NOT NULL,
  ttft_counts INTEGER[] NOT NULL,
  PRIMARY KEY (rollout_id, minute, arm, writer_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX rollout_minutes_minute_idx ON rollout_minutes (minute);
