-- Integrations, and deliveries to them in lanes of their own (docs/decisions/0042). Instant: the tables are new, and a column with a
-- constant default rewrites nothing.

CREATE TABLE integrations (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('slack', 'discord', 'teams', 'pagerduty', 'email', 'otlp')),
  name TEXT NOT NULL,
  config JSONB NOT NULL,
  secret_ciphertext BYTEA,
  event_types TEXT[] NOT NULL,
  enabled BOOLEAN NOT NULL DEFAULT true,
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'failing', 'paused', 'disabled')),
  disabled_reason TEXT,
  consecutive_failures INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
  last_success_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at TIMESTAMPTZ(3),
  CONSTRAINT integrations_pkey PRIMARY KEY (id),
  CONSTRAINT integrations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id)
    ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX integrations_organization_id_id_idx ON integrations (organization_id, id DESC);
CREATE INDEX integrations_closed ON integrations (id) WHERE NOT enabled OR deleted_at IS NOT NULL;
CREATE INDEX integrations_otlp ON integrations (id) WHERE kind = 'otlp' AND enabled AND deleted_at IS NULL;

CREATE TABLE integration_deliveries (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  integration_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  body TEXT NOT NULL,
  alert_id TEXT,
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'succeeded', 'failed', 'dead')),
  round INTEGER NOT NULL DEFAULT 1 CHECK (round > 0),
  attempt_count INTEGER NOT NULL DEFAULT 0 CHECK (attempt_count BETWEEN 0 AND 6),
  next_attempt_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_id TEXT,
  lease_until TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT integration_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT integration_deliveries_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations (id)
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT integration_deliveries_lease_check CHECK ((lease_id IS NULL) = (lease_until IS NULL)),
  -- What has ended is not due, and the other way round.
  CONSTRAINT integration_deliveries_due_check
    CHECK ((status IN ('queued', 'failed')) = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX integration_deliveries_event_id_integration_id_key
  ON integration_deliveries (event_id, integration_id);
CREATE INDEX integration_deliveries_organization_id_id_idx ON integration_deliveries (organization_id, id);
CREATE INDEX integration_deliveries_integration_id_id_idx ON integration_deliveries (integration_id, id);
CREATE INDEX integration_deliveries_alert_id_idx ON integration_deliveries (alert_id);
CREATE INDEX integration_deliveries_waiting ON integration_deliveries (integration_id, next_attempt_at)
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL;
CREATE INDEX integration_deliveries_waiting_tests ON integration_deliveries (integration_id, next_attempt_at)
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL AND event_type = 'integration.test';
CREATE INDEX integration_deliveries_in_flight ON integration_deliveries (integration_id) WHERE lease_id IS NOT NULL;
CREATE INDEX integration_deliveries_leased ON integration_deliveries (lease_until) WHERE lease_id IS NOT NULL;

CREATE TABLE integration_delivery_attempts (
  delivery_id TEXT NOT NULL,
  round INTEGER NOT NULL CHECK (round > 0),
  attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 6),
  started_at TIMESTAMPTZ(3) NOT NULL,
  duration_ms INTEGER,
  status_code INTEGER,
  error TEXT,
  response_excerpt TEXT,
  CONSTRAINT integration_delivery_attempts_pkey PRIMARY KEY (delivery_id, round, attempt),
  CONSTRAINT integration_delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id)
    REFERENCES integration_deliveries (id) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE integration_lanes (
  integration_id TEXT NOT NULL,
  turn_at TIMESTAMPTZ(6),
  "full" BOOLEAN NOT NULL DEFAULT false,
  slots SMALLINT NOT NULL DEFAULT 1 CHECK (slots BETWEEN 1 AND 8),
  waiting_since TIMESTAMPTZ(3),
  CONSTRAINT integration_lanes_pkey PRIMARY KEY (integration_id),
  CONSTRAINT integration_lanes_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT integration_lanes_full_check CHECK (NOT ("full" AND turn_at IS NOT NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE INDEX integration_lanes_turn ON integration_lanes (turn_at) WHERE turn_at IS NOT NULL;

ALTER TABLE alert_rules ADD COLUMN notify_integration_ids TEXT[] NOT NULL DEFAULT '{}';

-- Whoever makes a delivery wait, the dispatcher or a person who retries it, calls its lane for then.
--
-- Always by ON CONFLICT, which takes the lane's lock and judges its newest version, so that no call is lost to a claim that
-- has just found nothing and not yet committed. Lanes are locked last and in order: integrations, deliveries, lanes.
CREATE OR REPLACE FUNCTION call_integration_lanes_for_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO integration_lanes AS lane (integration_id, turn_at)
  SELECT integration_id, min(next_attempt_at) FROM new_rows
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL
  GROUP BY integration_id ORDER BY integration_id
  ON CONFLICT (integration_id) DO UPDATE SET turn_at = excluded.turn_at
  WHERE NOT lane."full" AND (lane.turn_at IS NULL OR lane.turn_at > excluded.turn_at);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER call_integration_lanes_for_new AFTER INSERT ON integration_deliveries
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION call_integration_lanes_for_new();

-- What ends an attempt also gives its slot back to a lane that has none.
CREATE OR REPLACE FUNCTION call_integration_lanes_for_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO integration_lanes AS lane (integration_id, turn_at)
  SELECT n.integration_id, min(n.next_attempt_at)
  FROM new_rows n JOIN old_rows o USING (id)
  WHERE n.lease_id IS NULL
    AND (o.lease_id IS NOT NULL OR n.next_attempt_at IS DISTINCT FROM o.next_attempt_at)
    AND (o.lease_id IS NOT NULL OR n.next_attempt_at IS NOT NULL)
  GROUP BY n.integration_id ORDER BY n.integration_id
  ON CONFLICT (integration_id) DO UPDATE
    SET "full" = false, turn_at = CASE WHEN lane."full" THEN now() ELSE least(lane.turn_at, excluded.turn_at) END
  WHERE lane."full" OR excluded.turn_at < coalesce(lane.turn_at, 'infinity');
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER call_integration_lanes_for_changed AFTER UPDATE ON integration_deliveries
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION call_integration_lanes_for_changed();

-- When each of these lanes is to be looked at next: at the back of the line while more of it is due, when the next delivery
-- is, when a slot comes back, or when it is called.
CREATE OR REPLACE FUNCTION end_integration_turns(turns text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH left_over AS MATERIALIZED (
    SELECT e.id, e.enabled,
      (SELECT count(*) FROM integration_deliveries f WHERE f.integration_id = e.id AND f.lease_id IS NOT NULL) >= own.slots
        AS is_full,
      CASE WHEN e.deleted_at IS NOT NULL THEN NULL WHEN e.enabled THEN (
        SELECT d.next_attempt_at FROM integration_deliveries d
        WHERE d.integration_id = e.id AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL
        ORDER BY d.next_attempt_at LIMIT 1)
      ELSE (
        SELECT d.next_attempt_at FROM integration_deliveries d
        WHERE d.integration_id = e.id AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL
          AND d.event_type = 'integration.test'
        ORDER BY d.next_attempt_at LIMIT 1)
      END AS next_at
    FROM integration_lanes own JOIN integrations e ON e.id = own.integration_id
    WHERE own.integration_id = ANY (turns)
  )
  UPDATE integration_lanes l SET
    "full" = next_at IS NOT NULL AND is_full,
    turn_at = CASE WHEN next_at IS NOT NULL AND NOT is_full THEN greatest(next_at, clock_timestamp()) END,
    waiting_since = CASE WHEN left_over.enabled THEN next_at END
  FROM left_over WHERE l.integration_id = left_over.id;
END
$$;

-- Leases deliveries that are due to the caller, for one try each, as claim_deliveries does for endpoints: lane by lane. Of an integration
-- that is paused or disabled, only tests. Why its settings are as they are stands there.
CREATE OR REPLACE FUNCTION claim_integration_deliveries(deliveries_max int, lease_ms int) RETURNS TABLE (
  delivery_id text, integration_id text, organization_id text, kind text, event_id text, event_type text, body text,
  round int, attempt int, lease_id text, due_at timestamptz, claimed_at timestamptz,
  config jsonb, secret_ciphertext bytea
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  at CONSTANT timestamptz := clock_timestamp();
  lease CONSTANT text := gen_random_uuid()::text;
  turns text[];
  claimed bigint;
BEGIN
  LOOP
    turns := ARRAY(
      SELECT l.integration_id FROM integration_lanes l WHERE l.turn_at <= at
      ORDER BY l.turn_at LIMIT deliveries_max FOR UPDATE SKIP LOCKED);
    EXIT WHEN cardinality(turns) = 0;

    RETURN QUERY
    WITH lane AS MATERIALIZED (
      SELECT e.id, e.enabled, e.kind, e.config, e.secret_ciphertext,
        least(
          greatest(deliveries_max / cardinality(turns), 1),
          l.slots - (SELECT count(*) FROM integration_deliveries f WHERE f.integration_id = e.id AND f.lease_id IS NOT NULL)
        ) AS free
      FROM integration_lanes l JOIN integrations e ON e.id = l.integration_id
      WHERE l.integration_id = ANY (turns) AND e.deleted_at IS NULL
    ), picked AS MATERIALIZED (
      SELECT lane.*, waiting.id AS delivery_id FROM lane CROSS JOIN LATERAL (
        SELECT d.id FROM integration_deliveries d
        WHERE lane.enabled AND d.integration_id = lane.id
          AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL AND d.next_attempt_at <= at
        ORDER BY d.next_attempt_at LIMIT greatest(lane.free, 0) FOR UPDATE SKIP LOCKED
      ) waiting
      UNION ALL
      SELECT lane.*, test.id FROM lane CROSS JOIN LATERAL (
        SELECT d.id FROM integration_deliveries d
        WHERE NOT lane.enabled AND d.integration_id = lane.id AND d.event_type = 'integration.test'
          AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL AND d.next_attempt_at <= at
        ORDER BY d.next_attempt_at LIMIT greatest(lane.free, 0) FOR UPDATE SKIP LOCKED
      ) test
    )
    UPDATE integration_deliveries d SET attempt_count = d.attempt_count + 1, lease_id = lease,
      lease_until = at + lease_ms * interval '1 ms', updated_at = at
    FROM picked p WHERE d.id = p.delivery_id
    RETURNING d.id, d.integration_id, d.organization_id, p.kind, d.event_id, d.event_type, d.body,
      d.round, d.attempt_count, d.lease_id, d.next_attempt_at, at, p.config, p.secret_ciphertext;
    GET DIAGNOSTICS claimed = ROW_COUNT;

    PERFORM end_integration_turns(turns);
    -- Lanes that had nothing to give must not hide those behind them.
    EXIT WHEN claimed > 0;
  END LOOP;
END
$$;

-- An integration that is enabled gets what waited for it, oldest first, one at a time until it proves that it takes more.
CREATE OR REPLACE FUNCTION open_integration_lane() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO integration_lanes (integration_id, turn_at) VALUES (NEW.id, now())
  ON CONFLICT (integration_id) DO UPDATE SET turn_at = excluded.turn_at, slots = 1, "full" = false;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER open_integration_lane AFTER UPDATE ON integrations
  FOR EACH ROW WHEN (NEW.enabled AND NOT OLD.enabled) EXECUTE FUNCTION open_integration_lane();
