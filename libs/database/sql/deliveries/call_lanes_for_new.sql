-- Whoever makes a delivery wait, the dispatcher or a person who retries it, calls its lane for then.
--
-- Always by ON CONFLICT, which takes the lane's lock and judges its newest version, so that no call is lost to a claim that
-- has just found nothing and not yet committed. Lanes are locked last and in order: receivers, deliveries, lanes.
CREATE OR REPLACE FUNCTION {{call_lanes_for_new}}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {{lanes}} AS lane ({{receiver_id}}, turn_at)
  SELECT {{receiver_id}}, min(next_attempt_at) FROM new_rows
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL
  GROUP BY {{receiver_id}} ORDER BY {{receiver_id}}
  ON CONFLICT ({{receiver_id}}) DO UPDATE SET turn_at = excluded.turn_at
  WHERE NOT lane."full" AND (lane.turn_at IS NULL OR lane.turn_at > excluded.turn_at);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER {{call_lanes_for_new}} AFTER INSERT ON {{deliveries}}
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION {{call_lanes_for_new}}();
