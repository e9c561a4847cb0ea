-- Dedicated endpoints of tuned models, their runs, and the slices that are paid ahead (docs/decisions/0048).

CREATE TABLE fine_tuning_endpoints (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  model TEXT NOT NULL,
  hardware TEXT NOT NULL,
  idle_stop_minutes INTEGER NOT NULL CHECK (idle_stop_minutes BETWEEN 1 AND 1440),
  max_hours_hundredths INTEGER NOT NULL CHECK (max_hours_hundredths BETWEEN 1 AND 72000),
  max_spend_nanos BIGINT CHECK (max_spend_nanos > 0),
  creator_id TEXT NOT NULL,
  last_run INTEGER NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at TIMESTAMPTZ(3),
  CONSTRAINT fine_tuning_endpoints_pkey PRIMARY KEY (id)
);
CREATE INDEX fine_tuning_endpoints_organization_id_id_idx ON fine_tuning_endpoints (organization_id, id DESC);
-- One a model.
CREATE UNIQUE INDEX fine_tuning_endpoints_one_a_model ON fine_tuning_endpoints (model) WHERE deleted_at IS NULL;

CREATE TABLE fine_tuning_endpoint_runs (
  id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  organization_id TEXT NOT NULL,
  project_id TEXT,
  api_key_id TEXT,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  upstream_model TEXT NOT NULL,
  region TEXT NOT NULL,
  credential_id TEXT,
  hardware TEXT NOT NULL,
  start_timeout_ms INTEGER NOT NULL CHECK (start_timeout_ms > 0),
  price_per_hour_nanos BIGINT NOT NULL CHECK (price_per_hour_nanos >= 0),
  slice_seconds INTEGER NOT NULL CHECK (slice_seconds > 0),
  state TEXT NOT NULL DEFAULT 'starting',
  stop_reason TEXT,
  hold_refusal TEXT CHECK (hold_refusal IN ('budget', 'wallet_empty')),
  requested_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  running_since TIMESTAMPTZ(3),
  last_seen_at TIMESTAMPTZ(3),
  stopped_serving_at TIMESTAMPTZ(3),
  ended_at TIMESTAMPTZ(3),
  upstream_endpoint TEXT,
  inference_model TEXT,
  removed_at TIMESTAMPTZ(3),
  running_seconds INTEGER NOT NULL DEFAULT 0 CHECK (running_seconds >= 0),
  unmetered_seconds INTEGER NOT NULL DEFAULT 0 CHECK (unmetered_seconds >= 0),
  charged_nanos BIGINT NOT NULL DEFAULT 0 CHECK (charged_nanos >= 0),
  due_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_until TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  idempotency_key TEXT,
  CONSTRAINT fine_tuning_endpoint_runs_pkey PRIMARY KEY (id),
  CONSTRAINT fine_tuning_endpoint_runs_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES fine_tuning_endpoints (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT fine_tuning_endpoint_runs_state_check CHECK (state IN ('starting', 'running', 'stopping', 'stopped', 'failed')),
  CONSTRAINT fine_tuning_endpoint_runs_ended_check CHECK ((state IN ('stopped', 'failed')) = (ended_at IS NOT NULL)),
  CONSTRAINT fine_tuning_endpoint_runs_reason_check CHECK ((state IN ('stopping', 'stopped', 'failed')) = (stop_reason IS NOT NULL)),
  CONSTRAINT fine_tuning_endpoint_runs_running_check CHECK (state <> 'running' OR running_since IS NOT NULL AND inference_model IS NOT NULL),
  -- What may be up at the provider is never forgotten.
  CONSTRAINT fine_tuning_endpoint_runs_due_check CHECK (due_at IS NOT NULL OR removed_at IS NOT NULL)
);
CREATE UNIQUE INDEX fine_tuning_endpoint_runs_endpoint_id_number_key ON fine_tuning_endpoint_runs (endpoint_id, number);
-- One at a time of an endpoint, and which of an organization are up.
CREATE UNIQUE INDEX fine_tuning_endpoint_runs_one_up ON fine_tuning_endpoint_runs (endpoint_id) WHERE ended_at IS NULL;
CREATE INDEX fine_tuning_endpoint_runs_up ON fine_tuning_endpoint_runs (organization_id) WHERE ended_at IS NULL;
CREATE INDEX fine_tuning_endpoint_runs_due ON fine_tuning_endpoint_runs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX fine_tuning_endpoint_runs_idempotency ON fine_tuning_endpoint_runs (organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE fine_tuning_endpoint_slices (
  run_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  from_second INTEGER NOT NULL CHECK (from_second >= 0),
  seconds INTEGER NOT NULL CHECK (seconds > 0),
  held_nanos BIGINT NOT NULL CHECK (held_nanos >= 0),
  used_seconds INTEGER CHECK (used_seconds BETWEEN 0 AND seconds),
  charged_nanos BIGINT CHECK (charged_nanos BETWEEN 0 AND held_nanos),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  settled_at TIMESTAMPTZ(3),
  CONSTRAINT fine_tuning_endpoint_slices_pkey PRIMARY KEY (run_id, number),
  CONSTRAINT fine_tuning_endpoint_slices_run_id_fkey FOREIGN KEY (run_id) REFERENCES fine_tuning_endpoint_runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT fine_tuning_endpoint_slices_settled_check CHECK ((settled_at IS NULL) = (charged_nanos IS NULL) AND (settled_at IS NULL) = (used_seconds IS NULL))
);

-- libs/persistence/sql/changes/tell_change.sql
-- Whoever changes what edges remember, they are told when the change commits, and of nothing that does not. The name
-- of the channel and the payload are read by libs/persistence/src/changes.
CREATE OR REPLACE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- No edge remembers these: a key is used all the time, and customers name things as often as they like.
  unheard text[] := '{last_used_at,updated_at,name}';
  changed text := TG_TABLE_NAME;
  version jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(OLD) - unheard = to_jsonb(NEW) - unheard THEN
      RETURN NULL;
    END IF;
    -- Apart: customers change it as often as they like, and a change of an organization makes edges forget every key.
    unheard := unheard || 'usage_tag'::text;
    IF TG_TABLE_NAME = 'organizations' AND to_jsonb(OLD) - unheard = to_jsonb(NEW) - unheard THEN
      changed := 'organizations.usage_tag';
    END IF;
  END IF;
  -- Both, because a key whose hash changed is remembered by the old one. What is told twice in a transaction is sent once.
  FOREACH version IN ARRAY ARRAY[to_jsonb(OLD), to_jsonb(NEW)] LOOP
    CONTINUE WHEN version IS NULL;
    PERFORM pg_notify('svc_changes', jsonb_strip_nulls(jsonb_build_object(
      'table', changed,
      'organization_id', coalesce(version->>'organization_id', version->>'id'),
      'project_id', CASE TG_TABLE_NAME WHEN 'projects' THEN version->>'id' END,
      'key_sha256', encode((version->>'secret_sha256')::bytea, 'base64')))::text);
  END LOOP;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON organizations
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON projects
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON policy_versions
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON provider_credentials
  FOR EACH ROW EXECUTE FUNCTION tell_change();
-- Edges remember whose calls are told to collectors. They hear of nothing but that: the health of an integration changes all the time.
CREATE OR REPLACE TRIGGER tell_new AFTER INSERT ON integrations
  FOR EACH ROW WHEN (NEW.kind = 'otlp') EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER UPDATE ON integrations
  FOR EACH ROW WHEN (NEW.kind = 'otlp' AND
    (OLD.enabled, OLD.config, OLD.deleted_at) IS DISTINCT FROM (NEW.enabled, NEW.config, NEW.deleted_at))
  EXECUTE FUNCTION tell_change();
-- Edges remember an organization's tuned models. What is left to do at the provider is not their concern.
CREATE OR REPLACE TRIGGER tell_new AFTER INSERT ON fine_tuned_models
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER UPDATE ON fine_tuned_models
  FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION tell_change();
-- And which of them machines of their own serve. The rest of a run is not their concern.
CREATE OR REPLACE TRIGGER tell_change AFTER UPDATE ON fine_tuning_endpoint_runs
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state AND 'running' IN (OLD.state, NEW.state))
  EXECUTE FUNCTION tell_change();
