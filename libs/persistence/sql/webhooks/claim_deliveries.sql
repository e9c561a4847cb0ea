-- Leases deliveries that are due to the caller, for one attempt each: lane by lane, the one first that has waited longest
-- for its turn, and of each as many as it has slots for. Of an endpoint that is paused or disabled, only tests.
--
-- The lock of a lane makes claims of an endpoint exclude each other, so that the attempts in flight are counted right over
-- all dispatchers; that takes a statement of its own for each step, because a statement sees what was committed before it
-- began. Nothing here waits for a lock.
--
-- What is asked of a claim is always a few rows by an index. With half a million deliveries of one endpoint in its statistics the planner
-- thought otherwise, and read all of them for each claim.
CREATE OR REPLACE FUNCTION claim_deliveries(deliveries_max int, lease_ms int) RETURNS TABLE (
  delivery_id text, endpoint_id text, organization_id text, event_id text, event_type text, payload text,
  round int, attempt int, lease_id text, due_at timestamptz, claimed_at timestamptz,
  url text, secret_ciphertext bytea, previous_secret_ciphertext bytea
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
