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
