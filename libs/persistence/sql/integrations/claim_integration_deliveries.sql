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
