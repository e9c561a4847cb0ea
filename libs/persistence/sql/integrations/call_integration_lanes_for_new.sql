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
