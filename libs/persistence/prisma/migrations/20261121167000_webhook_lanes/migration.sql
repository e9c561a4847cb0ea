-- Deliveries are claimed lane by lane (docs/decisions/0010). What waits for a paused or disabled endpoint stays where it is: its
-- lane is closed, so nobody looks at it, however much it is.
DROP INDEX webhook_deliveries_due;
DROP INDEX webhook_deliveries_leased;
ALTER TABLE webhook_deliveries DROP COLUMN parked;

CREATE TABLE webhook_lanes (
  endpoint_id text NOT NULL,
  turn_at timestamptz(6),
  "full" boolean NOT NULL DEFAULT false,
  slots smallint NOT NULL DEFAULT 1,
  waiting_since timestamptz(3),

  CONSTRAINT webhook_lanes_pkey PRIMARY KEY (endpoint_id)
);
ALTER TABLE webhook_lanes
  ADD CONSTRAINT webhook_lanes_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CHECK (slots BETWEEN 1 AND 8),
  ADD CHECK (NOT ("full" AND turn_at IS NOT NULL));

CREATE INDEX webhook_lanes_turn ON webhook_lanes (turn_at) WHERE turn_at IS NOT NULL;
-- A delivery that waits for its time, or for its turn.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL;
-- The few of them that a closed lane lets through.
CREATE INDEX webhook_deliveries_waiting_tests ON webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL AND event_type = 'webhook.test';
-- At most 8 an endpoint: whoever claims counts them.
CREATE INDEX webhook_deliveries_in_flight ON webhook_deliveries (endpoint_id) WHERE lease_id IS NOT NULL;
CREATE INDEX webhook_endpoints_closed ON webhook_endpoints (id) WHERE NOT enabled OR deleted_at IS NOT NULL;

-- Every attempt leaves two dead versions of a delivery and of its lane behind, at the head of what is looked at next.
ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
ALTER TABLE webhook_lanes SET (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- Whoever makes a delivery wait, the dispatcher or a person who retries it, calls its lane for then.
--
-- Always by ON CONFLICT, which takes the lane's lock and judges its newest version, so that no call is lost to a claim that
-- has just found nothing and not yet committed. Lanes are locked last and in order: endpoints, deliveries, lanes.
CREATE FUNCTION call_lanes_for_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_lanes AS lane (endpoint_id, turn_at)
  SELECT endpoint_id, min(next_attempt_at) FROM new_rows
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL
  GROUP BY endpoint_id ORDER BY endpoint_id
  ON CONFLICT (endpoint_id) DO UPDATE SET turn_at = excluded.turn_at
  WHERE NOT lane."full" AND (lane.turn_at IS NULL OR lane.turn_at > excluded.turn_at);
  RETURN NULL;
END
$$;

-- What ends an attempt also gives its slot back to a lane that has none.
CREATE FUNCTION call_lanes_for_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_lanes AS lane (endpoint_id, turn_at)
  SELECT n.endpoint_id, min(n.next_attempt_at)
  FROM new_rows n JOIN old_rows o USING (id)
  WHERE n.lease_id IS NULL
    AND (o.lease_id IS NOT NULL OR n.next_attempt_at IS DISTINCT FROM o.next_attempt_at)
    AND (o.lease_id IS NOT NULL OR n.next_attempt_at IS NOT NULL)
  GROUP BY n.endpoint_id ORDER BY n.endpoint_id
  ON CONFLICT (endpoint_id) DO UPDATE
    SET "full" = false, turn_at = CASE WHEN lane."full" THEN now() ELSE least(lane.turn_at, excluded.turn_at) END
  WHERE lane."full" OR excluded.turn_at < coalesce(lane.turn_at, 'infinity');
  RETURN NULL;
END
$$;

-- An endpoint that is enabled gets what waited for it, oldest first, one at a time until it proves that it takes more.
CREATE FUNCTION open_lane() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_lanes (endpoint_id, turn_at) VALUES (NEW.id, now())
  ON CONFLICT (endpoint_id) DO UPDATE SET turn_at = excluded.turn_at, slots = 1, "full" = false;
  RETURN NULL;
END
$$;

CREATE TRIGGER call_lanes_for_new AFTER INSERT ON webhook_deliveries
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION call_lanes_for_new();
CREATE TRIGGER call_lanes_for_changed AFTER UPDATE ON webhook_deliveries
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION call_lanes_for_changed();
CREATE TRIGGER open_lane AFTER UPDATE ON webhook_endpoints
  FOR EACH ROW WHEN (NEW.enabled AND NOT OLD.enabled) EXECUTE FUNCTION open_lane();

-- Leases deliveries that are due to the caller, for one attempt each: lane by lane, the one first that has waited longest
-- for its turn, and of each as many as it has slots for. Of an endpoint that is paused or disabled, only tests.
--
-- The lock of a lane makes claims of an endpoint exclude each other, so that the attempts in flight are counted right over
-- all dispatchers; that takes a statement of its own for each step, because a statement sees what was committed before it
-- began. Nothing here waits for a lock.
CREATE FUNCTION claim_deliveries(deliveries_max int, lease_ms int) RETURNS TABLE (
  delivery_id text, endpoint_id text, organization_id text, event_id text, event_type text, payload text,
  round int, attempt int, lease_id text, due_at timestamptz, claimed_at timestamptz,
  url text, secret_ciphertext bytea, previous_secret_ciphertext bytea
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at CONSTANT timestamptz := clock_timestamp();
  lease CONSTANT text := gen_random_uuid()::text;
  turns text[];
  claimed bigint;
BEGIN
  LOOP
    turns := ARRAY(
      SELECT l.endpoint_id FROM webhook_lanes l WHERE l.turn_at <= at
      ORDER BY l.turn_at LIMIT deliveries_max FOR UPDATE SKIP LOCKED);
    EXIT WHEN cardinality(turns) = 0;

    RETURN QUERY
    WITH lane AS MATERIALIZED (
      SELECT e.id, e.enabled, e.url, e.secret_ciphertext,
        CASE WHEN e.previous_secret_expires_at > at THEN e.previous_secret_ciphertext END AS previous,
        least(
          greatest(deliveries_max / cardinality(turns), 1),
          l.slots - (SELECT count(*) FROM webhook_deliveries f WHERE f.endpoint_id = e.id AND f.lease_id IS NOT NULL)
        ) AS free
      FROM webhook_lanes l JOIN webhook_endpoints e ON e.id = l.endpoint_id
      WHERE l.endpoint_id = ANY (turns) AND e.deleted_at IS NULL
    ), picked AS MATERIALIZED (
      SELECT lane.*, waiting.id AS delivery_id, waiting.event_id FROM lane CROSS JOIN LATERAL (
        SELECT d.id, d.event_id FROM webhook_deliveries d
        WHERE lane.enabled AND d.endpoint_id = lane.id
          AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL AND d.next_attempt_at <= at
        ORDER BY d.next_attempt_at LIMIT greatest(lane.free, 0) FOR UPDATE SKIP LOCKED
      ) waiting
      UNION ALL
      SELECT lane.*, test.id, test.event_id FROM lane CROSS JOIN LATERAL (
        SELECT d.id, d.event_id FROM webhook_deliveries d
        WHERE NOT lane.enabled AND d.endpoint_id = lane.id AND d.event_type = 'webhook.test'
          AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL AND d.next_attempt_at <= at
        ORDER BY d.next_attempt_at LIMIT greatest(lane.free, 0) FOR UPDATE SKIP LOCKED
      ) test
    )
    UPDATE webhook_deliveries d SET attempt_count = d.attempt_count + 1, lease_id = lease,
      lease_until = at + lease_ms * interval '1 ms', updated_at = at
    FROM picked p JOIN webhook_events e ON e.id = p.event_id
    WHERE d.id = p.delivery_id
    RETURNING d.id, d.endpoint_id, d.organization_id, d.event_id, d.event_type, e.payload,
      d.round, d.attempt_count, d.lease_id, d.next_attempt_at, at, p.url, p.secret_ciphertext, p.previous;
    GET DIAGNOSTICS claimed = ROW_COUNT;

    PERFORM end_turns(turns);
    -- Lanes that had nothing to give must not hide those behind them.
    EXIT WHEN claimed > 0;
  END LOOP;
END
$$;

-- When each of these lanes is to be looked at next: at the back of the line while more of it is due, when the next delivery
-- is, when a slot comes back, or when it is called.
CREATE FUNCTION end_turns(turns text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH left_over AS MATERIALIZED (
    SELECT e.id, e.enabled,
      (SELECT count(*) FROM webhook_deliveries f WHERE f.endpoint_id = e.id AND f.lease_id IS NOT NULL) >= own.slots
        AS is_full,
      CASE WHEN e.deleted_at IS NOT NULL THEN NULL WHEN e.enabled THEN (
        SELECT d.next_attempt_at FROM webhook_deliveries d
        WHERE d.endpoint_id = e.id AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL
        ORDER BY d.next_attempt_at LIMIT 1)
      ELSE (
        SELECT d.next_attempt_at FROM webhook_deliveries d
        WHERE d.endpoint_id = e.id AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL
          AND d.event_type = 'webhook.test'
        ORDER BY d.next_attempt_at LIMIT 1)
      END AS next_at
    FROM webhook_lanes own JOIN webhook_endpoints e ON e.id = own.endpoint_id
    WHERE own.endpoint_id = ANY (turns)
  )
  UPDATE webhook_lanes l SET
    "full" = next_at IS NOT NULL AND is_full,
    turn_at = CASE WHEN next_at IS NOT NULL AND NOT is_full THEN greatest(next_at, clock_timestamp()) END,
    waiting_since = CASE WHEN left_over.enabled THEN next_at END
  FROM left_over WHERE l.endpoint_id = left_over.id;
END
$$;
