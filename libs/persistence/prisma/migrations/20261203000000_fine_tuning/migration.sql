-- Fine-tuning jobs and their models (docs/decisions/0047). Instant: the tables are new, the column may be null, checks are validated later.

CREATE TABLE fine_tuning_jobs (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  api_key_id TEXT,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL,
  model TEXT NOT NULL,
  training_file_id TEXT NOT NULL,
  validation_file_id TEXT,
  suffix TEXT,
  seed BIGINT,
  metadata JSONB,
  hyperparameters JSONB NOT NULL,
  provider TEXT NOT NULL,
  upstream_model TEXT NOT NULL,
  region TEXT NOT NULL,
  credential_id TEXT,
  price_per_token_femtos BIGINT NOT NULL CHECK (price_per_token_femtos >= 0),
  epochs INTEGER NOT NULL CHECK (epochs > 0),
  held_nanos BIGINT NOT NULL CHECK (held_nanos >= 0),
  charged_nanos BIGINT NOT NULL DEFAULT 0 CHECK (charged_nanos >= 0),
  model_name TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'validating_files',
  upstream_training_file TEXT,
  upstream_validation_file TEXT,
  upstream_job TEXT,
  trained_tokens BIGINT CHECK (trained_tokens >= 0),
  trained_epochs INTEGER,
  failure_code TEXT,
  failure_message TEXT,
  estimated_finish_at TIMESTAMPTZ(3),
  cancel_requested_at TIMESTAMPTZ(3),
  cancelled_by TEXT,
  unreachable_since TIMESTAMPTZ(3),
  last_upstream_event TEXT,
  due_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_until TIMESTAMPTZ(3),
  failures INTEGER NOT NULL DEFAULT 0,
  fence BIGINT NOT NULL DEFAULT 0,
  idempotency_key TEXT,
  idempotency_hash TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  started_at TIMESTAMPTZ(3),
  ended_at TIMESTAMPTZ(3),
  CONSTRAINT fine_tuning_jobs_pkey PRIMARY KEY (id),
  CONSTRAINT fine_tuning_jobs_state_check CHECK (state IN ('validating_files', 'queued', 'running', 'succeeded', 'failed', 'cancelled')),
  CONSTRAINT fine_tuning_jobs_ended_check CHECK ((state IN ('succeeded', 'failed', 'cancelled')) = (ended_at IS NOT NULL)),
  CONSTRAINT fine_tuning_jobs_failed_check CHECK ((state = 'failed') = (failure_code IS NOT NULL)),
  CONSTRAINT fine_tuning_jobs_charged_check CHECK (charged_nanos = 0 OR ended_at IS NOT NULL AND charged_nanos <= held_nanos),
  -- An open job is never forgotten.
  CONSTRAINT fine_tuning_jobs_due_check CHECK (due_at IS NOT NULL OR ended_at IS NOT NULL)
);
CREATE INDEX fine_tuning_jobs_organization_id_id_idx ON fine_tuning_jobs (organization_id, id DESC);
CREATE UNIQUE INDEX fine_tuning_jobs_model_name_key ON fine_tuning_jobs (model_name);
-- What the workers have to do, and which jobs of an organization are open.
CREATE INDEX fine_tuning_jobs_due ON fine_tuning_jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX fine_tuning_jobs_open ON fine_tuning_jobs (organization_id) WHERE ended_at IS NULL;
CREATE INDEX fine_tuning_jobs_idempotency ON fine_tuning_jobs (organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE fine_tuning_job_events (
  job_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  upstream_event TEXT,
  level TEXT NOT NULL CHECK (level IN ('info', 'warn', 'error')),
  type TEXT NOT NULL CHECK (type IN ('message', 'metrics')),
  message TEXT NOT NULL,
  metrics JSONB,
  created_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT fine_tuning_job_events_pkey PRIMARY KEY (job_id, number),
  CONSTRAINT fine_tuning_job_events_job_id_fkey FOREIGN KEY (job_id) REFERENCES fine_tuning_jobs (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX fine_tuning_job_events_job_id_upstream_event_key ON fine_tuning_job_events (job_id, upstream_event);

CREATE TABLE fine_tuning_checkpoints (
  job_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  upstream_checkpoint TEXT NOT NULL,
  step_number INTEGER NOT NULL,
  metrics JSONB NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT fine_tuning_checkpoints_pkey PRIMARY KEY (job_id, number),
  CONSTRAINT fine_tuning_checkpoints_job_id_fkey FOREIGN KEY (job_id) REFERENCES fine_tuning_jobs (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX fine_tuning_checkpoints_job_id_upstream_checkpoint_key ON fine_tuning_checkpoints (job_id, upstream_checkpoint);

CREATE TABLE fine_tuning_creators (
  creator TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  CONSTRAINT fine_tuning_creators_pkey PRIMARY KEY (creator),
  CONSTRAINT fine_tuning_creators_creator_check CHECK (creator ~ '^ft-[a-z]{8}$')
);
CREATE UNIQUE INDEX fine_tuning_creators_organization_id_key ON fine_tuning_creators (organization_id);

CREATE TABLE fine_tuned_models (
  name TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  job_id TEXT NOT NULL,
  base_model TEXT NOT NULL,
  provider TEXT NOT NULL,
  upstream_model TEXT NOT NULL,
  region TEXT NOT NULL,
  credential_id TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at TIMESTAMPTZ(3),
  due_at TIMESTAMPTZ(3),
  failures INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT fine_tuned_models_pkey PRIMARY KEY (name),
  CONSTRAINT fine_tuned_models_due_check CHECK (due_at IS NULL OR deleted_at IS NOT NULL)
);
CREATE UNIQUE INDEX fine_tuned_models_job_id_key ON fine_tuned_models (job_id);
CREATE INDEX fine_tuned_models_organization_id_name_idx ON fine_tuned_models (organization_id, name);
CREATE INDEX fine_tuned_models_due ON fine_tuned_models (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE standing_holds (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('fine_tuning', 'fine_tuning_endpoint')),
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  held_nanos BIGINT NOT NULL CHECK (held_nanos >= 0),
  budget_periods JSONB,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  settled_at TIMESTAMPTZ(3),
  CONSTRAINT standing_holds_pkey PRIMARY KEY (id)
);
-- What is open, for the budgets that it counts in.
CREATE INDEX standing_holds_open ON standing_holds (organization_id) WHERE settled_at IS NULL;

ALTER TABLE organizations ADD COLUMN fine_tuning_jobs_max INTEGER;
ALTER TABLE organizations ADD COLUMN fine_tuning_endpoints_max INTEGER;
ALTER TABLE ledger_transfers ADD COLUMN hold_id TEXT;
ALTER TABLE ledger_transfers DROP CONSTRAINT ledger_transfers_subject;
ALTER TABLE ledger_transfers DROP CONSTRAINT ledger_transfers_accounts;
ALTER TABLE ledger_transfers ADD CONSTRAINT ledger_transfers_subjects CHECK (CASE kind
  WHEN 'credit_grant' THEN credit_grant_id IS NOT NULL AND request_id IS NULL AND payment_id IS NULL AND hold_id IS NULL
  WHEN 'top_up' THEN credit_grant_id IS NOT NULL AND request_id IS NULL AND payment_id IS NOT NULL AND hold_id IS NULL
  WHEN 'refund' THEN credit_grant_id IS NULL AND request_id IS NULL AND payment_id IS NOT NULL AND hold_id IS NULL
  WHEN 'dispute' THEN credit_grant_id IS NULL AND request_id IS NULL AND payment_id IS NOT NULL AND hold_id IS NULL
  WHEN 'charge' THEN request_id IS NOT NULL AND credit_grant_id IS NULL AND payment_id IS NULL AND hold_id IS NULL
  WHEN 'fine_tuning' THEN hold_id IS NOT NULL AND request_id IS NULL AND credit_grant_id IS NULL AND payment_id IS NULL
  WHEN 'fine_tuning_endpoint' THEN hold_id IS NOT NULL AND request_id IS NULL AND credit_grant_id IS NULL AND payment_id IS NULL
  WHEN 'overrun' THEN (request_id IS NULL) <> (hold_id IS NULL) AND credit_grant_id IS NULL AND payment_id IS NULL
  ELSE false END) NOT VALID;
-- Between which accounts each kind moves.
ALTER TABLE ledger_transfers ADD CONSTRAINT ledger_transfers_sides CHECK (CASE kind
  WHEN 'credit_grant' THEN debit_account = 'platform:credit' AND credit_account = 'wallet:' || organization_id
  WHEN 'top_up' THEN debit_account = 'platform:cash' AND credit_account = 'wallet:' || organization_id
  WHEN 'charge' THEN debit_account = 'wallet:' || organization_id AND credit_account = 'platform:revenue'
  WHEN 'fine_tuning' THEN debit_account = 'wallet:' || organization_id AND credit_account = 'platform:revenue'
  WHEN 'fine_tuning_endpoint' THEN debit_account = 'wallet:' || organization_id AND credit_account = 'platform:revenue'
  WHEN 'overrun' THEN debit_account = 'platform:loss' AND credit_account = 'platform:revenue'
  ELSE kind IN ('refund', 'dispute')
    AND (debit_account = 'platform:cash' AND credit_account IN ('wallet:' || organization_id, 'platform:loss')
      OR credit_account = 'platform:cash' AND debit_account IN ('wallet:' || organization_id, 'platform:loss'))
  END) NOT VALID;

-- libs/persistence/sql/budgets/budget_drift.sql
-- The current days and months of budgets that don't say what the books say: usage that passed a budget by (it was
-- made, or disabled for a while, in the middle of a period). Read and mended under the lock of the wallet.
CREATE OR REPLACE VIEW budget_drift AS
  WITH reserved AS (
    SELECT p.budget_id, p.period_key, sum(h.held_nanos)::bigint AS nanos
    FROM (
      SELECT held_nanos, budget_periods FROM request_records WHERE status = 'pending'
      UNION ALL
      SELECT held_nanos, budget_periods FROM standing_holds WHERE settled_at IS NULL
    ) h, jsonb_to_recordset(h.budget_periods) AS p (budget_id text, period_key text)
    GROUP BY 1, 2
  ), booked AS (
    SELECT g.organization_id, s.budget_id, s.period_key, budget_usage(g, s.period_key) AS spent_nanos,
      coalesce(r.nanos, 0) AS reserved_nanos, s.spent_nanos AS shown_spent, s.reserved_nanos AS shown_reserved
    FROM budgets g
    JOIN budget_spends s ON s.budget_id = g.id
      AND s.period_key = to_char(now() AT TIME ZONE 'UTC', CASE g.period WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END)
    LEFT JOIN reserved r ON r.budget_id = s.budget_id AND r.period_key = s.period_key
    WHERE g.enabled AND g.period IN ('day', 'month')
  )
  SELECT organization_id, budget_id, period_key, spent_nanos, reserved_nanos
  FROM booked
  WHERE spent_nanos <> shown_spent OR reserved_nanos <> shown_reserved;

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

-- libs/persistence/sql/standing-holds/open_standing_hold.sql
-- Holds an amount as a whole for something that outlives processes, by the rule of calls (decide_holds). One row: what is held, or null and
-- which budget refused it (null: the wallet). A refusal writes nothing but the time of a budget's first one. An id that was held before
-- fails. Locks the wallet.
CREATE OR REPLACE FUNCTION open_standing_hold(hold jsonb) RETURNS TABLE (held_nanos bigint, refused_budget_id text,
  refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- A user who holds without a key counts in no key's budget: none has this id.
  asked CONSTANT jsonb := jsonb_build_object(
    'organization_id', hold->>'organization_id', 'project_id', hold->>'project_id',
    'api_key_id', coalesce(hold->>'api_key_id', ''), 'hold_min', hold->>'nanos', 'hold_max', hold->>'nanos');
  decided record;
BEGIN
  PERFORM lock_wallets(ARRAY[hold->>'organization_id'], true);
  decided := decide_holds(jsonb_build_array(asked));

  IF decided.held[1] IS NOT NULL THEN
    UPDATE wallets w SET held_nanos = w.held_nanos + decided.held[1] WHERE w.organization_id = hold->>'organization_id';
    INSERT INTO standing_holds (id, organization_id, project_id, api_key_id, kind, model, provider, held_nanos, budget_periods)
    VALUES (hold->>'id', hold->>'organization_id', coalesce(hold->>'project_id', ''), coalesce(hold->>'api_key_id', ''),
      hold->>'kind', hold->>'model', hold->>'provider', decided.held[1], decided.budget_periods[1]);
  END IF;
  IF cardinality(decided.judged) > 0 THEN
    PERFORM write_budget_spends(decided.spends, decided.consumed, decided.grown, decided.refusing);
  END IF;

  RETURN QUERY SELECT decided.held[1], (decided.judged[decided.refused_by[1]]).id,
    (decided.judged[decided.refused_by[1]]).name, decided.warnings[1];
END
$$;

-- libs/persistence/sql/standing-holds/settle_standing_hold.sql
-- Ends a standing hold once: frees it, charges at most what was held, books the rest as the platform's loss, counts the charge as usage of
-- the day on which it was held, without a request. Its budgets have spent the charge or have it free again. Null: nothing was open, and
-- nothing changed. Otherwise what was charged. Locks the wallet.
CREATE OR REPLACE FUNCTION settle_standing_hold(hold_id text, cost_nanos bigint, charge_id text, overrun_id text) RETURNS bigint
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  ended standing_holds;
  charged bigint;
BEGIN
  PERFORM lock_wallets(ARRAY(SELECT h.organization_id FROM standing_holds h WHERE h.id = settle_standing_hold.hold_id), true);
  UPDATE standing_holds h SET settled_at = now()
  WHERE h.id = settle_standing_hold.hold_id AND h.settled_at IS NULL
  RETURNING h.* INTO ended;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  charged := least(settle_standing_hold.cost_nanos, ended.held_nanos);

  UPDATE wallets w SET balance_nanos = w.balance_nanos - charged, held_nanos = w.held_nanos - ended.held_nanos
  WHERE w.organization_id = ended.organization_id;

  UPDATE budget_spends s SET
    -- Never an obstacle to the charge: a reservation that is not there is not freed.
    reserved_nanos = greatest(s.reserved_nanos - ended.held_nanos, 0),
    spent_nanos = s.spent_nanos + charged, review_due = true, updated_at = now()
  FROM jsonb_to_recordset(ended.budget_periods) AS p (budget_id text, period_key text)
  WHERE s.budget_id = p.budget_id AND s.period_key = p.period_key;

  INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, hold_id)
  SELECT b.id, ended.organization_id, b.debit_account, 'platform:revenue', b.nanos, b.kind, ended.id
  FROM (VALUES
    (settle_standing_hold.charge_id, 'wallet:' || ended.organization_id, charged, ended.kind),
    (settle_standing_hold.overrun_id, 'platform:loss', settle_standing_hold.cost_nanos - charged, 'overrun')
  ) AS b (id, debit_account, nanos, kind)
  WHERE b.nanos > 0;

  INSERT INTO usage_days AS u (organization_id, day, project_id, api_key_id, model, provider, tag, request_count,
    input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, customer_nanos)
  SELECT ended.organization_id, (ended.created_at AT TIME ZONE 'UTC')::date, ended.project_id, ended.api_key_id, ended.model,
    ended.provider, '', 0, 0, 0, 0, 0, 0, charged
  WHERE charged > 0
  ON CONFLICT (organization_id, day, project_id, api_key_id, model, provider, tag) DO UPDATE SET
    customer_nanos = u.customer_nanos + excluded.customer_nanos;
  RETURN charged;
END
$$;
