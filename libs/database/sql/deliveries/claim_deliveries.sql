-- Leases deliveries that are due to the caller, for one attempt each: lane by lane, the one first that has waited longest
-- for its turn, and of each as many as it has slots for. Of a receiver that is paused or disabled, only tests.
--
-- The lock of a lane makes claims of a receiver exclude each other, so that the attempts in flight are counted right over
-- all dispatchers; that takes a statement of its own for each step, because a statement sees what was committed before it
-- began. Nothing here waits for a lock.
--
-- The statements of a claim always read a few rows by an index. With half a million deliveries of one endpoint in its statistics the planner
-- thought otherwise, and read all of them for each claim.
CREATE OR REPLACE FUNCTION {{claim_deliveries}}(deliveries_max int, lease_ms int) RETURNS TABLE (
  delivery_id text, {{receiver_id}} text, organization_id text, {{kind_declared}}event_id text, event_type text, {{body_column}} text,
  round int, attempt int, lease_id text, due_at timestamptz, claimed_at timestamptz,
  {{call_declared}}
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
      SELECT l.{{receiver_id}} FROM {{lanes}} l WHERE l.turn_at <= at
      ORDER BY l.turn_at LIMIT deliveries_max FOR UPDATE SKIP LOCKED);
    EXIT WHEN cardinality(turns) = 0;

    RETURN QUERY
    WITH lane AS MATERIALIZED (
      SELECT r.id, r.enabled, {{call_read}},
        least(
          greatest(deliveries_max / cardinality(turns), 1),
          l.slots - (SELECT count(*) FROM {{deliveries}} f WHERE f.{{receiver_id}} = r.id AND f.lease_id IS NOT NULL)
        ) AS free
      FROM {{lanes}} l JOIN {{receivers}} r ON r.id = l.{{receiver_id}}
      WHERE l.{{receiver_id}} = ANY (turns) AND r.deleted_at IS NULL
    ), picked AS MATERIALIZED (
      SELECT lane.*, waiting.id AS delivery_id, waiting.event_id FROM lane CROSS JOIN LATERAL (
        SELECT d.id, d.event_id FROM {{deliveries}} d
        WHERE lane.enabled AND d.{{receiver_id}} = lane.id
          AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL AND d.next_attempt_at <= at
        ORDER BY d.next_attempt_at LIMIT greatest(lane.free, 0) FOR UPDATE SKIP LOCKED
      ) waiting
      UNION ALL
      SELECT lane.*, test.id, test.event_id FROM lane CROSS JOIN LATERAL (
        SELECT d.id, d.event_id FROM {{deliveries}} d
        WHERE NOT lane.enabled AND d.{{receiver_id}} = lane.id AND d.event_type = '{{test_event}}'
          AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL AND d.next_attempt_at <= at
        ORDER BY d.next_attempt_at LIMIT greatest(lane.free, 0) FOR UPDATE SKIP LOCKED
      ) test
    )
    UPDATE {{deliveries}} d SET attempt_count = d.attempt_count + 1, lease_id = lease,
      lease_until = at + lease_ms * interval '1 ms', updated_at = at
    FROM picked p{{events_joined}}
    WHERE d.id = p.delivery_id
    RETURNING d.id, d.{{receiver_id}}, d.organization_id, {{kind_returned}}d.event_id, d.event_type, {{body_returned}},
      d.round, d.attempt_count, d.lease_id, d.next_attempt_at, at, {{call_returned}};
    GET DIAGNOSTICS claimed = ROW_COUNT;

    PERFORM {{end_turns}}(turns);
    -- Lanes that had nothing to give must not hide those behind them.
    EXIT WHEN claimed > 0;
  END LOOP;
END
$$;
