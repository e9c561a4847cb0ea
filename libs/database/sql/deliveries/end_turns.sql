-- When each of these lanes is to be looked at next: at the back of the line while more of it is due, when the next delivery
-- is, when a slot comes back, or when it is called.
CREATE OR REPLACE FUNCTION {{end_turns}}(turns text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH left_over AS MATERIALIZED (
    SELECT r.id, r.enabled,
      (SELECT count(*) FROM {{deliveries}} f WHERE f.{{receiver_id}} = r.id AND f.lease_id IS NOT NULL) >= own.slots
        AS is_full,
      CASE WHEN r.deleted_at IS NOT NULL THEN NULL WHEN r.enabled THEN (
        SELECT d.next_attempt_at FROM {{deliveries}} d
        WHERE d.{{receiver_id}} = r.id AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL
        ORDER BY d.next_attempt_at LIMIT 1)
      ELSE (
        SELECT d.next_attempt_at FROM {{deliveries}} d
        WHERE d.{{receiver_id}} = r.id AND d.status IN ('queued', 'failed') AND d.lease_id IS NULL
          AND d.event_type = '{{test_event}}'
        ORDER BY d.next_attempt_at LIMIT 1)
      END AS next_at
    FROM {{lanes}} own JOIN {{receivers}} r ON r.id = own.{{receiver_id}}
    WHERE own.{{receiver_id}} = ANY (turns)
  )
  UPDATE {{lanes}} l SET
    "full" = next_at IS NOT NULL AND is_full,
    turn_at = CASE WHEN next_at IS NOT NULL AND NOT is_full THEN greatest(next_at, clock_timestamp()) END,
    waiting_since = CASE WHEN left_over.enabled THEN next_at END
  FROM left_over WHERE l.{{receiver_id}} = left_over.id;
END
$$;
